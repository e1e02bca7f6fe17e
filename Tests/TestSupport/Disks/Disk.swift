import Glibc

/// A file system of its own in memory, which only root can make.
package final class Disk: Sendable {
    package let path: String
    private let folder: TemporaryFolder

    package static let canBeMade = geteuid() == 0 && (try? Disk("ramfs")) != nil

    /// `tmpfs` with `size=1m`; `ramfs` has no extended attributes.
    package init(_ kind: String, _ options: String = "") throws {
        folder = try TemporaryFolder()
        path = folder.path
        guard mount("apod-mirror-test", path, kind, 0, options) == 0 else { throw SystemError("mount a \(kind)") }
    }

    package func change(_ options: String) throws {
        guard mount(nil, path, nil, UInt(MS_REMOUNT), options) == 0 else { throw SystemError("remount \(path)") }
    }

    /// Leaves no byte free; taking the file away makes room again.
    package func fill(with name: String) throws {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemError("create \(path)/\(name)") }
        defer { close(descriptor) }
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        var step = bytes.count
        while step > 0 { if write(descriptor, bytes, step) < step { step /= 2 } }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
