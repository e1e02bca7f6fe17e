import Glibc

/// A folder that nobody answers for, as that of a server that is away: whoever looks into it waits. It can be had to
/// answer. Only root can make one (fuse(4)).
package final class SilentMount: Sendable {
    package let path: String
    private let device: Int32
    private let server: LinkServer

    package static let canBeMade = geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0

    package init(over path: String) throws {
        self.path = path
        mkdir(path, 0o755)
        device = open("/dev/fuse", O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard device >= 0 else { throw SystemError("open /dev/fuse") }
        server = LinkServer(device)
        let options = "fd=\(device),rootmode=40000,user_id=0,group_id=0"
        guard mount("apod-mirror-test", path, "fuse", UInt(MS_NOSUID | MS_NODEV), options) == 0 else {
            close(device)
            throw SystemError("mount over \(path)")
        }
    }

    /// From now on, these links are in the folder: their names, and where they lead; one that leads
    /// nowhere is an empty folder. Or all that is answered is that it fails; `onlyLater`: only the rest of the list does.
    package func answer(
        with links: [(name: String, target: String)] = [], tellingKinds tellsKinds: Bool = true,
        failing failure: Int32 = 0, onlyLater: Bool = false
    ) throws {
        try server.start(links, tellsKinds: tellsKinds, failure, onlyLater: onlyLater)
    }

    /// Returns when so many answers were that it fails.
    package func fails(times count: Int) async throws { _ = try await server.failures.first { $0 >= count } }

    /// From now on, nobody answers again.
    package func fallSilent() { server.stop() }

    /// Nobody sees it any more; those who wait go on waiting.
    package func hide() { umount2(path, Int32(MNT_DETACH)) }

    /// Whoever waits is told that nobody will answer.
    deinit {
        server.stop()
        hide()
        close(device)
    }
}
