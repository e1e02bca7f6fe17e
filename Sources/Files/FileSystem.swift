internal import CLinux
import Glibc

/// What kind of disk a folder is on.
package enum FileSystem {
    /// `NFS`, `fuse.sshfs`: other machines may write there too. Nil for what only this machine has.
    package static func networkKind(of path: String) -> String? {
        let kinds: [Int: String] = [
            0x6969: "NFS", 0xff53_4d42: "SMB", 0xfe53_4d42: "SMB", 0x517b: "SMB", 0x0102_1997: "9P",
            0x5346_414f: "AFS", 0x00c3_6400: "Ceph",
        ]
        let kind = file_system_kind(path)
        return kind == 0x6573_5546 ? networkFUSE(path) : kinds[kind]
    }

    /// FUSE is local (mergerfs, NTFS) or not (sshfs); the table of mounts says which.
    private static func networkFUSE(_ path: String) -> String? {
        let network = ["fuse.sshfs", "fuse.rclone", "fuse.glusterfs", "fuse.s3fs", "fuse.davfs", "fuse.curlftpfs"]
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        let path = String(cString: resolved)
        let under = table.filter { path == $0.path || path.hasPrefix($0.path == "/" ? "/" : $0.path + "/") }
        let kind = under.reversed().max { $0.path.count < $1.path.count }?.kind
        return kind.flatMap { network.contains($0) ? $0 : nil }
    }

    /// The places where something is mounted.
    static var mounts: [String] { table.map(\.path) }

    private static var table: [(path: String, kind: String)] {
        let table = (try? File.reading("/proc/self/mountinfo").stream()) ?? []
        return table.split(separator: UInt8(ascii: "\n")).compactMap(mount)
    }

    /// `36 35 98:0 /mnt1 /mnt2 rw - fuse.sshfs …` (proc_pid_mountinfo(5)).
    private static func mount(_ line: ArraySlice<UInt8>) -> (path: String, kind: String)? {
        let fields = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { return nil }
        return (fields[4].replacing("\\040", with: " "), fields[dash + 1])
    }
}
