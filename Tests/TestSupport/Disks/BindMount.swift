import Glibc

/// A folder that is shown in another place too, which only root can do.
package final class BindMount: Sendable {
    private let path: String

    /// Over another folder, which is hidden until this is let go of.
    package init(of shown: String, over path: String) throws {
        self.path = path
        guard mount(shown, path, nil, UInt(MS_BIND), nil) == 0 else { throw SystemError("bind \(shown) to \(path)") }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
