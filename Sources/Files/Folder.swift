import Glibc

/// An open folder. What is below it is reached by one name at a time and never through a symbolic link.
package final class Folder: Sendable {
    package let path: String
    package let descriptor: Int32

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// A folder that the person named, who may have meant a link.
    package static func open(_ path: String) throws(DiskError) -> Folder {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DiskError("open", path) }
        return Folder(descriptor: descriptor, path: path)
    }

    /// The same, made with all folders above it where it is missing.
    package static func make(_ path: String) throws(DiskError) -> Folder {
        var sofar = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            sofar += "/\(part)"
            guard mkdir(sofar, 0o755) != 0 else { continue }
            let code = errno
            // Some folders exist though nobody may try to make them.
            guard code == EEXIST || access(sofar, F_OK) == 0 else {
                throw DiskError("make the folder", sofar, code: code)
            }
        }
        return try open(path)
    }

    /// The folder of this name in here; nil if there is none.
    package func folder(_ name: String) throws(DiskError) -> Folder? {
        let descriptor = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw DiskError("open", path(of: name)) }
        return Folder(descriptor: descriptor, path: path(of: name))
    }

    /// The same, made (and its name brought to the disk) if there is none.
    package func makeFolder(_ name: String) throws(DiskError) -> Folder {
        if let folder = try folder(name) { return folder }
        guard mkdirat(descriptor, name, 0o755) == 0 || errno == EEXIST else {
            throw DiskError("make the folder", path(of: name))
        }
        try sync()
        guard let folder = try folder(name) else { throw DiskError("open", path(of: name), code: ENOENT) }
        return folder
    }

    /// The regular file of this name, to read; nil if there is none.
    package func file(_ name: String) throws(DiskError) -> File? {
        // Without O_NONBLOCK, a FIFO in a file's place would hold this up for ever.
        let descriptor = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw DiskError("open", path(of: name)) }
        let file = File(descriptor: descriptor, path: path(of: name))
        guard try file.facts().isRegular else { throw DiskError("read", file.path, code: EINVAL) }
        return file
    }

    /// The regular file of this name, to read and write, made if there is none; emptied unless it is to be `kept`.
    package func makeFile(_ name: String, keeping kept: Bool = false) throws(DiskError) -> File {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (kept ? 0 : O_TRUNC)
        let descriptor = openat(descriptor, name, flags, 0o644)
        guard descriptor >= 0 else { throw DiskError("create", path(of: name)) }
        let file = File(descriptor: descriptor, path: path(of: name))
        guard try file.facts().isRegular else { throw DiskError("create", file.path, code: EINVAL) }
        return file
    }

    package func facts(of name: String) throws(DiskError) -> File.Facts? {
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return File.Facts(status) }
        guard errno == ENOENT || errno == ENOTDIR else { throw DiskError("examine", path(of: name)) }
        return nil
    }

    package func rename(_ name: String, to folder: Folder, as newName: String) throws(DiskError) {
        guard renameat(descriptor, name, folder.descriptor, newName) == 0 else {
            throw DiskError("move into place", folder.path(of: newName))
        }
    }

    /// Removes a file or link if it is there.
    package func remove(_ name: String) throws(DiskError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw DiskError("remove", path(of: name))
        }
    }

    package func makeLink(_ name: String, to target: String) throws(DiskError) {
        guard symlinkat(target, descriptor, name) == 0 else { throw DiskError("make the link", path(of: name)) }
    }

    /// Where the link of this name leads; nil if there is no such link.
    package func target(of name: String) -> String? {
        let bytes = [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            count = max(0, readlinkat(descriptor, name, buffer.baseAddress!, buffer.count))
        }
        return bytes.isEmpty ? nil : String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns when the names in this folder are on the disk.
    package func sync() throws(DiskError) {
        guard fsync(descriptor) == 0 else { throw DiskError("bring to the disk", path) }
    }

    /// The names in this folder that are text, in no order.
    package func names() throws(DiskError) -> [String] {
        // The stream takes over its descriptor, and its position: it needs one of its own.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else { throw DiskError("list", path) }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(validating: $0.prefix(while: { $0 != 0 }), as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw DiskError("list", path) }
        return names
    }

    /// The folders in this one whose names are wanted; the others may be anybody's.
    package func folders(where isWanted: (String) -> Bool) throws(DiskError) -> [(name: String, folder: Folder)] {
        var folders: [(String, Folder)] = []
        for name in try names().filter(isWanted) {
            guard try facts(of: name)?.isFolder == true, let folder = try folder(name) else { continue }
            folders.append((name, folder))
        }
        return folders
    }

    package struct Space: Sendable {
        package let free: Int
        package let total: Int
    }

    package func space() throws(DiskError) -> Space {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { throw DiskError("examine the disk of", path) }
        func bytes(_ blocks: UInt) -> Int {
            let (bytes, overflow) = blocks.multipliedReportingOverflow(by: status.f_frsize)
            return overflow ? .max : Int(clamping: bytes)
        }
        return Space(free: bytes(status.f_bavail), total: bytes(status.f_blocks))
    }

    package func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
}
