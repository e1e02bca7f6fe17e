import Glibc

/// A folder that is shown in another place too, which only root can do.
package final class BindMount: Sendable {
    package let path: String
    private let folder: TemporaryFolder?

    /// In a place of its own.
    package init(of shown: String) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        path = folder.path
        try Self.bind(shown, path)
    }

    /// Over another folder, which is hidden until this is let go of.
    package init(of shown: String, over path: String) throws {
        folder = nil
        self.path = path
        try Self.bind(shown, path)
    }

    private static func bind(_ shown: String, _ path: String) throws {
        guard mount(shown, path, nil, UInt(MS_BIND), nil) == 0 else { throw SystemError("bind \(shown) to \(path)") }
    }

    package func makeReadOnly() throws {
        let flags = UInt(MS_REMOUNT | MS_BIND | MS_RDONLY)
        guard mount(nil, path, nil, flags, nil) == 0 else { throw SystemError("remount \(path)") }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
