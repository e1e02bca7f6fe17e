import Glibc

/// A disk whose power can be cut: what nothing has flushed is not in its image. Only root can make it.
package final class PowerDisk: Sendable {
    private let home: TemporaryFolder

    package static let canBeMade = geteuid() == 0 && Glibc.system("/sbin/losetup -f >/dev/null 2>&1") == 0

    package init() async throws {
        home = try TemporaryFolder()
        // ext4(5): no file is flushed because another takes its name.
        try await run(
            "truncate -s 32M image; mkfs.ext4 -q image; mkdir disk cut; mount -o loop,noauto_da_alloc image disk")
    }

    deinit { for name in ["cut", "disk"] { umount2(home.appending(name), Int32(MNT_DETACH)) } }

    package var path: String { home.appending("disk") }

    /// What would be there if the power went now.
    package func cut() async throws -> String {
        try await run("! mountpoint -q cut || umount cut; cp image copy; mount -o loop copy cut")
        return home.appending("cut")
    }

    private func run(_ script: String) async throws {
        let words = ["-euc", "cd '\(home.path)'; \(script)"]
        let outcome = try await Program.run(
            "/bin/bash", words, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        guard outcome.status == 0 else { throw SystemError(outcome.errors) }
    }
}
