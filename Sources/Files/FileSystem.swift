import Apod
import CLinux
import Glibc

/// The file system that a path is on.
package enum FileSystem {
    /// The kind of a file system in which other machines may write (`NFS`, `fuse.sshfs`); nil for a local one.
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

    /// True if the mount that a path leads to, or would lead to, is read-only for this process.
    package static func isReadOnly(_ path: String) -> Bool {
        var status = statvfs()
        return statvfs(nearest(path), &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }

    /// True if the disk itself is read-only, and not only this process's view of it; also after an error that ext4 met.
    package static func isDiskReadOnly(_ path: String) -> Bool {
        mount(of: nearest(path))?.options.split(separator: ",").contains { ["ro", "emergency_ro"].contains($0) }
            ?? false
    }

    /// The path, or the first folder above it that exists.
    package static func nearest(_ path: String) -> String {
        var path = path
        while access(path, F_OK) != 0, let folder = parent(of: path) { path = folder }
        return path
    }

    /// The folder that a path is in; nil for `/`, and for a name alone.
    package static func parent(of path: String) -> String? { path == "/" ? nil : parts(of: path)?.folder }

    /// The folder that a path is in, and the name there; nil for a name alone. By bytes: a slash and the letter behind it
    /// can be one character.
    package static func parts(of path: String) -> (folder: String, name: String)? {
        guard let slash = path.utf8.lastIndex(of: "/") else { return nil }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// The first folder on the way to a path that this process may not look into; nil if there is none.
    package static func closedFolder(onWayTo path: String) -> String? {
        var facts = stat()
        if stat(path, &facts) == 0 || errno != EACCES { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            // With EACCES, the buffer names what could not be reached (realpath(3), GNU extensions).
            guard let name = buffer.baseAddress, realpath(path, name) == nil, errno == EACCES else { return path }
            return parent(of: String(cString: name)) ?? "/"
        }
    }

    struct Mount {
        /// Without links.
        let path: String
        let kind: String
        /// The options of the file system itself, not of this mount.
        let options: String

        /// `36 35 98:0 /mnt1 /mnt2 rw - fuse.sshfs nas:/apod rw,user_id=0` (proc_pid_mountinfo(5)).
        init?(_ line: ArraySlice<UInt8>) {
            let fields = line.split(separator: " ").map(\.text)
            guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { return nil }
            path = Self.unescaped(fields[4])
            kind = fields[dash + 1]
            options = fields.last ?? ""
        }

        /// Decodes octal escapes: `\040` is a space.
        private static func unescaped(_ field: String) -> String {
            guard field.utf8.contains("\\") else { return field }
            var parts = field.utf8.split(separator: "\\", omittingEmptySubsequences: false)[...]
            var bytes = Array(parts.removeFirst())
            for part in parts {
                guard let byte = UInt8(part.prefix(3).text, radix: 8) else { return field }
                bytes += [byte] + part.dropFirst(3)
            }
            return bytes.text
        }
    }

    private static var table: [Mount] {
        let table = (try? File.reading("/proc/self/mountinfo").stream()) ?? []
        return table.split(separator: "\n").compactMap { Mount($0) }
    }

    /// The path without any links in it (realpath(3)); nil if nothing is there.
    package static func resolved(_ path: String) -> [UInt8]? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    /// The path of what is open, as the kernel knows it (proc(5)); nil where it does not tell.
    static func truePath(of descriptor: Int32) -> [UInt8]? { target(of: "/proc/self/fd/\(descriptor)").target }

    /// The target of a link (readlinkat(2)); nil, with the errno(3), where it cannot be read.
    static func target(
        of name: UnsafePointer<CChar>, in folder: Int32 = AT_FDCWD
    ) -> (target: [UInt8]?, code: Int32) {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            let text = buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
            let count = readlinkat(folder, name, text, buffer.count)
            let code = count < 0 ? errno : 0
            return (target: count > 0 ? Array(buffer[..<count]) : nil, code: code)
        }
    }

    private static func mount(of path: String) -> Mount? {
        guard let path = resolved(path) else { return nil }
        let under = table.filter { mount in
            path.elementsEqual(mount.path.utf8)
                || path.starts(with: (mount.path == "/" ? "/" : mount.path + "/").utf8)
        }
        return under.reversed().max { $0.path.count < $1.path.count }
    }
}
