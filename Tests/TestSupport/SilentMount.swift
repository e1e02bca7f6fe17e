import Glibc

/// A folder that nobody answers for, as that of a server that is away: whoever looks into it waits. Only root can make
/// one (fuse(4)).
package final class SilentMount: Sendable {
    package let path: String
    private let device: Int32

    package static let canBeMade = geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0

    package init(over path: String) throws {
        self.path = path
        mkdir(path, 0o755)
        device = open("/dev/fuse", O_RDWR | O_CLOEXEC)
        guard device >= 0 else { throw SystemError("open /dev/fuse") }
        let options = "fd=\(device),rootmode=40000,user_id=0,group_id=0"
        guard mount("apod-mirror-test", path, "fuse", UInt(MS_NOSUID | MS_NODEV), options) == 0 else {
            close(device)
            throw SystemError("mount over \(path)")
        }
    }

    /// Whoever waits is told that nobody will answer.
    deinit {
        umount2(path, Int32(MNT_DETACH))
        close(device)
    }
}
