import Glibc

/// Nobody can change anything in a folder, or a file, not even root, who alone can make it so: EPERM (ioctl_iflags(2)).
package final class ImmutableFolder: Sendable {
    private let path: String
    private let flag: Int32

    package static let canBeMade = (try? ImmutableFolder(TemporaryFolder())) != nil

    private convenience init(_ folder: TemporaryFolder) throws { try self.init(folder.path) }

    /// `isForAdding`: things can be made in it.
    package init(_ path: String, isForAdding: Bool = false) throws {
        self.path = path
        // FS_IMMUTABLE_FL and FS_APPEND_FL: macros that Swift cannot import, as are those below.
        flag = isForAdding ? 0x20 : 0x10
        guard Self.set(flag, true, path) else { throw SystemError("make \(path) immutable") }
    }

    deinit { _ = Self.set(flag, false, path) }

    private static func set(_ flag: Int32, _ isImmutable: Bool, _ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var flags: Int32 = 0
        // FS_IOC_GETFLAGS and FS_IOC_SETFLAGS.
        guard ioctl(descriptor, 0x8008_6601, &flags) == 0 else { return false }
        flags = isImmutable ? flags | flag : flags & ~flag
        return ioctl(descriptor, 0x4008_6602, &flags) == 0
    }
}
