import Apod
import CLinux
import Glibc

/// An open folder. Files and folders in it are opened one name at a time, and never through a symbolic link.
///
/// `Name` is what the disk calls an entry, `File` an open file, `Entries` a listing. `Staged` gives a file its final
/// name only when it is whole and on the disk. Every failure is a `Problem`.
package final class Folder: Sendable {
    package let path: String
    package let descriptor: Int32

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Opens a folder that a person named, which may be a link.
    package static func open(_ path: String) throws -> Folder {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Problem("open", path) }
        return Folder(descriptor: descriptor, path: path)
    }

    package var truePath: [UInt8]? { FileSystem.truePath(of: descriptor) }

    /// Opens a folder, after making it and all above it, with their names on the disk, where they are missing.
    package static func make(_ path: String) throws -> Folder {
        let slash: UInt8 = "/"
        var sofar = path.utf8.first == slash ? "" : "."
        // By bytes: a slash and a letter can be one `Character`.
        for part in path.utf8.split(separator: slash) {
            let above = sofar
            sofar += "/\(Substring(part))"
            guard mkdir(sofar, 0o755) != 0 else {
                // A folder may be writable and still not open for reading.
                try? open(above.isEmpty ? "/" : above).sync()
                continue
            }
            let code = errno
            // mkdir(2) may be refused although the folder exists.
            guard code == EEXIST || access(sofar, F_OK) == 0 else {
                throw Problem("make the folder", sofar, code: code)
            }
        }
        return try open(path)
    }

    private static let inner = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// The folder of this name in here; nil if there is none.
    package func folder(_ name: some Naming) throws -> Folder? {
        try opened(name.withTerminated { openat(descriptor, $0, Self.inner) }, name)
    }

    /// Like `folder`, but throws EXDEV where something is mounted.
    package func folderOnSameMount(_ name: some Naming) throws -> Folder? {
        try opened(name.withTerminated { open_on_same_mount(descriptor, $0, Self.inner) }, name)
    }

    private func opened(_ inner: Int32, _ name: some Naming) throws -> Folder? {
        if inner < 0, errno == ENOENT { return nil }
        guard inner >= 0 else { throw Problem("open", path(of: name)) }
        return Folder(descriptor: inner, path: path(of: name))
    }

    /// The facts of an entry, without asking a server; nil if there is none.
    package func known(_ name: some Naming) throws -> KnownFacts? {
        if let facts = name.withTerminated({ KnownFacts(of: $0, in: descriptor) }) { return facts }
        guard errno == ENOENT || errno == ENOTDIR else { throw Problem("examine", path(of: name)) }
        return nil
    }

    package func kind(of name: some Naming) throws -> File.Kind? { try known(name)?.kind }

    /// Opens the folder of this name, after making it, with its name on the disk, if there is none.
    ///
    /// `shared`: the group may write in it, if the umask lets it, and in what is made there, whatever the umask then.
    package func makeFolder(_ name: some Naming, shared: Bool = false) throws -> Folder {
        if let folder = try folder(name) { return folder }
        guard name.withTerminated({ mkdirat(descriptor, $0, shared ? 0o775 : 0o755) }) == 0 || errno == EEXIST else {
            throw Problem("make the folder", path(of: name))
        }
        try sync()
        guard let folder = try folder(name) else { throw Problem("open", path(of: name), code: ENOENT) }
        if shared { folder.share() }
        return folder
    }

    /// Gives new entries to the folder's group, which may write in them. For a person, only if the umask let the group
    /// write: it may be everybody's.
    package func share() {
        if geteuid() < 1000 { fchmod(descriptor, 0o2775) }
        handOn()
    }

    /// Sets a default ACL (acl(5)) in the kernel's format: everything for owner and group, reading for others. Errors
    /// are ignored: some disks have no ACLs.
    private func handOn() {
        guard let facts = try? facts(), facts.permissions & 0o020 != 0 else { return }
        let entries: [(whom: UInt8, rights: UInt8)] = [(1, 7), (4, 7), (32, 5)]
        let list = entries.reduce(into: [2, 0, 0, 0]) { $0 += [$1.whom, 0, $1.rights, 0, 255, 255, 255, 255] }
        fsetxattr(descriptor, "system.posix_acl_default", list, list.count, 0)
    }

    /// The regular file of this name, to read; nil if there is none.
    package func file(_ name: some Naming) throws -> File? {
        // Without O_NONBLOCK, a FIFO in a file's place would hold this up for ever.
        let descriptor = name.withTerminated {
            openat(self.descriptor, $0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        }
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw Problem("open", path(of: name)) }
        let file = File(descriptor: descriptor, path: path(of: name))
        guard try file.facts().isRegular else { throw Problem("read", file.path, code: EINVAL) }
        return file
    }

    /// Opens what is at a path below this folder, only to be examined (O_PATH). nil if there is nothing, or if the way
    /// leads out of this folder or into another mount (openat2(2)). A link at the end is not followed.
    package func below(_ path: [UInt8]) throws -> File? {
        let inner = path.withTerminated { open_below(descriptor, $0, path_only | O_NOFOLLOW | O_CLOEXEC) }
        let name = path.text
        if inner >= 0 { return File(descriptor: inner, path: self.path(of: name)) }
        let error = Problem("follow", self.path(of: name))
        guard error.isDeadEnd || error.errorNumber == EXDEV else { throw error }
        return nil
    }

    package enum Content: Sendable {
        case file(File)
        case folder(Folder)
    }

    /// Opens what is at a path below this folder, to read, through links that stay inside it. nil if there is nothing
    /// to read, or if the way leads out of this folder or into another mount (openat2(2)).
    package func content(below path: String) throws -> Content? {
        let inner = path.withCString { open_below(descriptor, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard inner >= 0 else {
            let error = Problem("open", self.path(of: path))
            guard error.isDeadEnd || [EXDEV, ENXIO].contains(error.errorNumber) else { throw error }
            return nil
        }
        let file = File(descriptor: inner, path: self.path(of: path))
        switch try file.facts().kind {
        case .regular: return .file(file)
        case .folder: return .folder(try .open("/proc/self/fd/\(inner)"))
        case .link, .other: return nil
        }
    }

    /// The regular file of this name, to read and write, made if there is none; emptied unless it is to be `kept`.
    package func makeFile(_ name: String, keeping kept: Bool = false, mode: UInt32 = 0o644) throws -> File {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (kept ? 0 : O_TRUNC)
        let descriptor = openat(descriptor, name, flags, mode)
        guard descriptor >= 0 else { throw Problem("create", path(of: name)) }
        let file = File(descriptor: descriptor, path: path(of: name))
        guard try file.facts().isRegular else { throw Problem("create", file.path, code: EINVAL) }
        return file
    }

    /// A new file of this name, to write. Nothing may have the name already.
    package func makeNewFile(_ name: String) throws -> File {
        let descriptor = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Problem("create", path(of: name)) }
        return File(descriptor: descriptor, path: path(of: name))
    }

    /// The facts of an entry; nil if there is none.
    package func facts(of name: some Naming) throws -> File.Facts? {
        var status = stat()
        let code = name.withTerminated { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
        if code == 0 { return File.Facts(status) }
        guard errno == ENOENT || errno == ENOTDIR else { throw Problem("examine", path(of: name)) }
        return nil
    }

    package func rename(_ name: some Naming, to folder: Folder, as newName: some Naming) throws {
        let code = name.withTerminated { name in
            newName.withTerminated { renameat(descriptor, name, folder.descriptor, $0) }
        }
        guard code == 0 else { throw Problem("move into place", folder.path(of: newName)) }
    }

    /// Renames; throws EEXIST if something has the new name. `folder`: nil: in this folder.
    package func rename(_ name: some Naming, to folder: Folder? = nil, toNew newName: some Naming) throws {
        let folder = folder ?? self
        let code = name.withTerminated { name in
            newName.withTerminated { rename_to_new(descriptor, name, folder.descriptor, $0) }
        }
        guard code == 0 else { throw Problem("move into place", folder.path(of: newName)) }
    }

    /// Like `rename(_:to:toNew:)`, also where the file system cannot do that in one step.
    package func move(_ name: some Naming, to folder: Folder? = nil, toNew newName: some Naming) throws {
        do { return try rename(name, to: folder, toNew: newName) } catch {
            guard error.problem.isUnsupported else { throw error }
        }
        let folder = folder ?? self
        do {
            // NFS has no RENAME_NOREPLACE, but has hard links.
            try makeHardLink(name, in: folder, as: newName)
            try remove(name)
        } catch {
            // Not every file system has hard links.
            guard error.problem.errorNumber != EEXIST, try folder.facts(of: newName) == nil else { throw error }
            try rename(name, to: folder, as: newName)
        }
    }

    /// Removes a file or link if it is there.
    package func remove(_ name: some Naming) throws {
        guard name.withTerminated({ unlinkat(descriptor, $0, 0) }) == 0 || errno == ENOENT else {
            throw Problem("remove", path(of: name))
        }
    }

    /// Removes a folder if it is there and empty.
    package func removeEmptyFolder(_ name: some Naming) throws {
        guard name.withTerminated({ unlinkat(descriptor, $0, AT_REMOVEDIR) }) != 0 else { return }
        guard ![ENOENT, ENOTEMPTY, EEXIST, ENOTDIR].contains(errno) else { return }
        throw Problem("remove", path(of: name))
    }

    /// Puts two entries in each other's place, in one step.
    package func exchange(_ name: some Naming, with folder: Folder, _ other: some Naming) throws {
        let code = name.withTerminated { name in
            other.withTerminated { exchange_files(descriptor, name, folder.descriptor, $0) }
        }
        guard code == 0 else { throw Problem("exchange", folder.path(of: other)) }
    }

    /// Gives a file a second name, in a folder of the same file system.
    package func makeHardLink(_ name: some Naming, in folder: Folder, as newName: some Naming) throws {
        let code = name.withTerminated { name in
            newName.withTerminated { linkat(descriptor, name, folder.descriptor, $0, 0) }
        }
        guard code == 0 else { throw Problem("link", folder.path(of: newName)) }
    }

    package func makeLink(_ name: some Naming, to target: String) throws {
        guard name.withTerminated({ symlinkat(target, descriptor, $0) }) == 0 else {
            throw Problem("make the link", path(of: name))
        }
    }

    /// Sets the time of a link itself.
    package func setModified(ofLink name: some Naming, _ seconds: Int, nanoseconds: Int = 0) throws {
        let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
        guard name.withTerminated({ utimensat(descriptor, $0, [time, time], AT_SYMLINK_NOFOLLOW) }) == 0 else {
            throw Problem("set the time of", path(of: name))
        }
    }

    /// The target of the link of this name; nil if there is no such link.
    package func readTarget(of name: some Naming) throws -> [UInt8]? {
        let (target, code) = name.withTerminated { FileSystem.target(of: $0, in: descriptor) }
        // EINVAL: it is no link.
        if [0, ENOENT, ENOTDIR, EINVAL].contains(code) { return target }
        throw Problem("read the link", path(of: name), code: code)
    }

    /// Like `readTarget`, as text; nil also if the link cannot be read.
    package func target(of name: some Naming) -> String? {
        (try? readTarget(of: name)).map(\.text)
    }

    /// A file that only its owner may open, made if missing: who can read a file can lock its writers out.
    package func makePrivateFile(_ name: String) throws -> File {
        let file = try makeFile(name, keeping: true, mode: 0o600)
        // A file that exists may have another mode.
        fchmod(file.descriptor, 0o600)
        return file
    }

    /// Returns when the names in this folder are on the disk, if its file system can be asked for that.
    package func sync() throws {
        if fsync(descriptor) == 0 { return }
        let error = Problem("bring to the disk", path)
        // Some file systems do not sync a folder that is open to read.
        guard error.isUnsupported || error.errorNumber == EBADF else { throw error }
    }

    package func entries() throws -> Entries { try Entries(of: descriptor, path: path) }

    /// Visits everything in this folder, in no order, with its kind where the file system tells it.
    package func visit(_ body: (Name, File.Kind?) throws -> Void) throws {
        let entries = try entries()
        while let (name, kind) = try entries.next() { try body(name, kind) }
    }

    /// The names in this folder that are text, in no order.
    package func names() throws -> [String] {
        var names: [String] = []
        try visit { name, _ in if let text = name.text { names.append(text) } }
        return names
    }

    /// The folders with a wanted name. What may not be opened is left out: it may be anybody's.
    package func folders(where isWanted: (String) -> Bool) throws -> [(name: String, folder: Folder)] {
        var folders: [(String, Folder)] = []
        for name in try names().filter(isWanted) {
            do {
                if let folder = try folder(name) { folders.append((name, folder)) }
            } catch {
                guard error.problem.isAboutPlace else { throw error }
            }
        }
        return folders
    }

    /// Throws if no file can be made in here, as far as that is known before trying.
    package func checkWritable() throws {
        guard faccessat(descriptor, ".", W_OK | X_OK, 0) == 0 else { throw Problem("write in", path) }
    }

    /// Brings the whole file system to the disk (syncfs(2)).
    package func syncDisk() throws {
        if sync_disk(descriptor) != 0 { throw Problem("bring to the disk", path) }
    }

    /// Equal for this folder at another time, and for no other; nil on old and stacked file systems, which tell no time
    /// of birth (statx(2)). An inode number alone is reused soon; the number of the disk can change at boot.
    package func fingerprint() throws -> String? {
        var inode: UInt = 0
        var seconds = 0
        var nanoseconds: UInt32 = 0
        guard birth_of_file(descriptor, &inode, &seconds, &nanoseconds) == 0 else {
            throw Problem("examine", path)
        }
        return seconds > 0 ? "\(inode) \(seconds).\(nanoseconds)" : nil
    }

    package func identity() throws -> File.Identity { try facts().identity }

    package func facts() throws -> File.Facts { try File.Facts(of: descriptor, path) }

    /// Sets the mode of an entry, never that of a link's target (proc(5)). Refusals are ignored: some disks have no
    /// modes, and some people may write here who may not change modes.
    package func setMode(of name: String, _ mode: UInt32) throws {
        let end = openat(descriptor, name, path_only | O_NOFOLLOW | O_CLOEXEC)
        if end < 0, errno == ENOENT { return }
        guard end >= 0 else { throw Problem("open", path(of: name)) }
        defer { close(end) }
        if chmod("/proc/self/fd/\(end)", mode) == 0 { return }
        let error = Problem("set the mode of", path(of: name))
        guard error.isRefusal || error.isUnsupported else { throw error }
    }

    package func path(of name: some Naming) -> String { path.hasSuffix("/") ? "\(path)\(name)" : "\(path)/\(name)" }
}
