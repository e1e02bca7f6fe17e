internal import Apod
internal import CLinux
import Glibc

/// To whom something on disk belongs.
package struct FileOwner: Sendable {
    package let user: UInt32
    private let groupID: UInt32

    /// nil if there is nothing.
    package init?(of path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        user = facts.st_uid
        groupID = facts.st_gid
    }

    package var name: String {
        getpwuid(user).map { Text.shown(String(cString: $0.pointee.pw_name)) } ?? "user \(user)"
    }

    package var group: String {
        getgrgid(groupID).map { Text.shown(String(cString: $0.pointee.gr_name)) } ?? "\(groupID)"
    }

    /// Whether a person is a member of the group, be it from their next login on.
    package func groupHas(_ person: String) -> Bool {
        var next = getgrgid(groupID)?.pointee.gr_mem
        while let member = next?.pointee {
            if String(cString: member) == person { return true }
            next = next?.advanced(by: 1)
        }
        return false
    }

    /// How whoever asks becomes a member, behind what says that they may not; a person's own group is not for others.
    package var adviceToJoin: String {
        guard user < 1000, group != "root", let me = getpwuid(geteuid())?.pointee.pw_name else { return "" }
        let name = String(cString: me)
        return groupHas(name)
            ? ". You are a member from your next login on: log out, and in again"
            : ". To join: `sudo adduser \(Text.shown(name)) \(group)`, then log out, and in again"
    }
}
