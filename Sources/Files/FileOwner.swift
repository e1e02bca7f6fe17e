import Apod
import CLinux
import Glibc

/// The user and the group that something belongs to.
package struct FileOwner: Sendable {
    package let user: UInt32
    package let group: UInt32

    /// nil if nothing is at the path.
    package init?(of path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        user = facts.st_uid
        group = facts.st_gid
    }

    package init(user: UInt32, group: UInt32) { (self.user, self.group) = (user, group) }

    package var name: String { Self.login(known: user) ?? "user \(user)" }

    /// The user's name as commands take it.
    package static func login(of user: UInt32) -> String { login(known: user) ?? "\(user)" }

    /// Several threads of the service ask, so getpwuid(3) will not do.
    private static func login(known user: UInt32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 14) { room in
            var (entry, found) = (passwd(), nil as UnsafeMutablePointer<passwd>?)
            getpwuid_r(user, &entry, room.baseAddress!, room.count, &found)
            return found.map { Text.shown(String(cString: $0.pointee.pw_name)) }
        }
    }

    package var groupName: String {
        getgrgid(group).map { Text.shown(String(cString: $0.pointee.gr_name)) } ?? "\(group)"
    }

    /// False for the system's users.
    package var isPerson: Bool { user >= 1000 }
}
