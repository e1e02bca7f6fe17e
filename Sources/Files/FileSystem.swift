internal import Apod
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
        return mount(of: path).flatMap { network.contains($0.kind) ? $0.kind : nil }
    }

    /// Whether nothing can be written where a path leads or would lead, whoever tries.
    package static func isReadOnly(_ path: String) -> Bool {
        var status = statvfs()
        return statvfs(nearest(path), &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Whether that is so for everybody: it is the disk, and not only this program's view of it.
    package static func isDiskReadOnly(_ path: String) -> Bool {
        mount(of: nearest(path))?.options.split(separator: ",").contains("ro") ?? false
    }

    /// What is at a path, or else the folder that it is in, if nobody can change it, or only add to it (chattr(1)).
    package static func immutable(at path: String) -> String? {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
        return [path, folder].compactMap(\.self).first { KnownFacts(of: $0, in: AT_FDCWD)?.isImmutable == true }
    }

    /// The path, or the first folder above it that there is.
    package static func nearest(_ path: String) -> String {
        var path = path
        while access(path, F_OK) != 0, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex
        {
            path = String(path[..<slash])
        }
        return path
    }

    /// The first folder on the way to a path that does not let whoever asks look into it; nil if there is none.
    package static func closedFolder(onWayTo path: String) -> String? {
        var facts = stat()
        if stat(path, &facts) == 0 || errno != EACCES { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            // It names then what could not be seen (realpath(3), GNU extensions).
            guard let name = buffer.baseAddress, realpath(path, name) == nil, errno == EACCES else { return path }
            let hidden = String(cString: name)
            // By bytes: a slash and the letter behind it can be one character.
            let slash = hidden.utf8.lastIndex(of: UInt8(ascii: "/"))
            return slash.flatMap { $0 == hidden.startIndex ? nil : String(hidden[..<$0]) } ?? "/"
        }
    }

    struct Mount {
        /// Goes through no link.
        let path: String
        let kind: String
        /// Of what is mounted, wherever it is.
        let options: String

        /// `36 35 98:0 /mnt1 /mnt2 rw - fuse.sshfs nas:/apod rw,user_id=0` (proc_pid_mountinfo(5)).
        init?(_ line: ArraySlice<UInt8>) {
            let fields = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { return nil }
            path = Self.unescaped(fields[4])
            kind = fields[dash + 1]
            options = fields.last ?? ""
        }

        /// `\040` is a space; there are few of these.
        private static func unescaped(_ field: String) -> String {
            guard field.utf8.contains(UInt8(ascii: "\\")) else { return field }
            var parts = field.utf8.split(separator: UInt8(ascii: "\\"), omittingEmptySubsequences: false)[...]
            var bytes = Array(parts.removeFirst())
            for part in parts {
                guard let byte = UInt8(String(decoding: part.prefix(3), as: UTF8.self), radix: 8) else { return field }
                bytes += [byte] + part.dropFirst(3)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private static var table: [Mount] {
        let table = (try? File.reading("/proc/self/mountinfo").stream()) ?? []
        return table.split(separator: UInt8(ascii: "\n")).compactMap { Mount($0) }
    }

    /// The path without any links in it, in bytes; nil for what is not there.
    package static func resolved(_ path: some Collection<UInt8>) -> [UInt8]? {
        let path = Array(path) + [0]
        guard let resolved = path.withUnsafeBytes({ realpath($0.bindMemory(to: CChar.self).baseAddress!, nil) }) else {
            return nil
        }
        defer { free(resolved) }
        return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    /// Also if it is a link that leads nowhere.
    package static func isThere(_ path: [UInt8]) -> Bool {
        var facts = stat()
        return (path + [0]).withUnsafeBytes { lstat($0.bindMemory(to: CChar.self).baseAddress!, &facts) == 0 }
    }

    private static func mount(of path: String) -> Mount? {
        guard let path = resolved(path.utf8) else { return nil }
        let under = table.filter { mount in
            path.elementsEqual(mount.path.utf8)
                || path.starts(with: (mount.path == "/" ? "/" : mount.path + "/").utf8)
        }
        return under.reversed().max { $0.path.count < $1.path.count }
    }
}
