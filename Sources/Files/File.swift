import Apod
import CLinux
import Glibc

/// An open regular file.
package final class File: Sendable {
    package let path: String
    package let descriptor: Int32

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Opens a file that a person or the system named, through any links.
    package static func reading(_ path: String) throws -> File {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Problem("read", path) }
        return File(descriptor: descriptor, path: path)
    }

    package enum Kind: Sendable {
        case regular, folder, link, other

        /// The kind in a folder's entry (readdir(3)); nil where the file system tells none.
        init?(entry type: UInt8) {
            if type == UInt8(DT_UNKNOWN) { return nil }
            // DTTOIF (dirent.h).
            self.init(mode: mode_t(type) << 12)
        }

        init(mode: mode_t) {
            switch mode & S_IFMT {
            case S_IFREG: self = .regular
            case S_IFDIR: self = .folder
            case S_IFLNK: self = .link
            default: self = .other
            }
        }
    }

    /// Equal for two names of the same file.
    package struct Identity: Hashable, Sendable {
        package let device: UInt
        package let inode: UInt
    }

    package struct Facts: Sendable, Equatable {
        package let kind: Kind
        package let identity: Identity
        /// The number of hard links.
        package let links: Int
        package let owner: UInt32
        package let group: UInt32
        /// The mode bits of chmod(2).
        package let permissions: UInt32
        package let bytes: Int
        /// Seconds since 1970.
        package let modified: Int
        package let modifiedNanoseconds: Int
        /// The last change to content or attributes (`st_ctim`, inode(7)).
        package let changed: Int

        /// Seconds and nanoseconds, as one word.
        package var modifiedExactly: String { "\(modified).\(modifiedNanoseconds)" }

        package var isRegular: Bool { kind == .regular }
        package var isFolder: Bool { kind == .folder }

        /// True for the same file with the same content, as far as that can be told without reading it.
        package func isSame(as other: Facts) -> Bool {
            identity == other.identity && bytes == other.bytes && modified == other.modified
                && modifiedNanoseconds == other.modifiedNanoseconds
        }

        /// The facts of what is open. `path`: for errors.
        init(of descriptor: Int32, _ path: String) throws {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw Problem("examine", path) }
            self.init(status)
        }

        init(_ status: stat) {
            kind = Kind(mode: status.st_mode)
            identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
            links = Int(status.st_nlink)
            owner = status.st_uid
            group = status.st_gid
            permissions = status.st_mode & 0o7777
            bytes = Int(status.st_size)
            modified = Int(status.st_mtim.tv_sec)
            modifiedNanoseconds = Int(status.st_mtim.tv_nsec)
            changed = Int(status.st_ctim.tv_sec)
        }
    }

    package func facts() throws -> Facts { try Facts(of: descriptor, path) }

    /// The facts of what is at a path, of a link its own; nil if they cannot be read.
    package static func facts(at path: String) -> Facts? {
        var status = stat()
        return lstat(path, &status) == 0 ? Facts(status) : nil
    }

    /// The target of a link that was itself opened (O_PATH); nil if it is no link.
    package var target: [UInt8]? { FileSystem.target(of: "", in: descriptor).target }

    package var truePath: [UInt8]? { FileSystem.truePath(of: descriptor) }

    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = write(descriptor, bytes.baseAddress! + rest.startIndex, rest.count)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Problem("write", path, code: written == 0 ? EIO : errno) }
            rest = rest.dropFirst(written)
        }
    }

    package func append(_ bytes: [UInt8]) throws {
        let result = bytes.withUnsafeBytes { bytes in
            Result { try append(bytes) }
        }
        try result.get()
    }

    package func append(_ file: File, unless isStopped: () -> Bool = { false }) throws {
        try file.readThrough(unless: isStopped) { bytes in try append(bytes) }
    }

    /// Reads the file piece by piece, as far as it goes at the beginning: a growing file may have no end.
    func readThrough(unless isStopped: () -> Bool, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        let size = try facts().bytes
        var offset = 0
        while offset < size {
            if isStopped() { throw Problem("read", path, code: ECANCELED) }
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, size - offset)])
            let count = try read(into: piece, at: offset)
            if count == 0 { return }
            try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += count
        }
    }

    /// Lets `append` go on behind the last byte, and returns where that is.
    package func seekToEnd() throws -> Int {
        let end = Int(lseek(descriptor, 0, SEEK_END))
        guard end >= 0 else { throw Problem("read", path) }
        return end
    }

    package func truncate(to bytes: Int) throws {
        guard ftruncate(descriptor, bytes) == 0, lseek(descriptor, bytes, SEEK_SET) == bytes else {
            throw Problem("shorten", path)
        }
    }

    /// Fills the buffer from `offset` on, as far as the file goes. Returns the number of bytes read.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = pread(descriptor, buffer.baseAddress! + filled, buffer.count - filled, offset + filled)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Problem("read", path) }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    package func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
    }

    /// The whole of a small file.
    package func contents(atMost limit: Int) throws -> [UInt8] {
        let size = try facts().bytes
        guard size <= limit else { throw Problem("read", path, code: EFBIG) }
        return try bytes(at: 0, count: size)
    }

    /// Everything in a file that tells no size, like those in /proc.
    package func stream(atMost limit: Int = .max) throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let part = try bytes(at: all.count, count: 64 << 10)
            if part.isEmpty { return all }
            all += part
            guard all.count <= limit else { throw Problem("read", path, code: EFBIG) }
        }
    }

    package func setModified(_ seconds: Int) throws {
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        guard futimens(descriptor, [time, time]) == 0 else { throw Problem("set the time of", path) }
    }

    package enum Lock: Sendable {
        /// Exclusive. The file must be open for writing.
        case alone
        case shared
    }

    /// Locks the file for as long as it is open; returns false if another lock is in the way.
    package func lock(_ lock: Lock) throws -> Bool {
        if lock_file(descriptor, lock == .shared ? 1 : 0) == 0 { return true }
        guard errno == EAGAIN || errno == EACCES else { throw Problem("lock", path) }
        return false
    }

    /// True if the file is locked through another open file. Asking locks nothing.
    package var isLocked: Bool { file_is_locked(descriptor) != 0 }

    /// Returns when the file's bytes are on the disk.
    package func sync() throws {
        guard fsync(descriptor) == 0 else { throw Problem("bring to the disk", path) }
    }
}
