import Glibc

/// Nobody can change anything in a folder, or a file, not even root, who alone can make it so: EPERM (ioctl_iflags(2)).
package final class ImmutableFolder: Sendable {
    private let path: String

    package static let canBeMade = (try? ImmutableFolder(TemporaryFolder())) != nil

    private convenience init(_ folder: TemporaryFolder) throws { try self.init(folder.path) }

    package init(_ path: String) throws {
        self.path = path
        guard Self.set(true, path) else { throw SystemError("make \(path) immutable") }
    }

    deinit { _ = Self.set(false, path) }

    private static func set(_ isImmutable: Bool, _ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var flags: Int32 = 0
        // FS_IOC_GETFLAGS, FS_IMMUTABLE_FL and FS_IOC_SETFLAGS: macros that Swift cannot import.
        guard ioctl(descriptor, 0x8008_6601, &flags) == 0 else { return false }
        flags = isImmutable ? flags | 0x10 : flags & ~0x10
        return ioctl(descriptor, 0x4008_6602, &flags) == 0
    }
}
