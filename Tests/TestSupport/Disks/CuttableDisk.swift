import Glibc

/// A disk whose power can be cut: what nobody has brought to it is not in a copy of it. Only root can make one.
package final class CuttableDisk: Sendable {
    package let path: String
    private let image: String
    private let folder: TemporaryFolder

    package static let canBeMade =
        geteuid() == 0 && access("/dev/loop-control", F_OK) == 0 && access("/sbin/mkfs.ext4", X_OK) == 0

    /// An empty one, mounted over a folder. The system writes nothing to it by itself for five minutes.
    package convenience init(over path: String) async throws {
        try await self.init(
            over: path, "truncate -s 64M $image && mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 $image")
    }

    private init(over path: String, _ script: String) async throws {
        folder = try TemporaryFolder()
        image = folder.appending("image")
        self.path = path
        let outcome = try await Program.run(
            "/bin/sh", ["-euc", "image=\(image); \(script); mount -o loop,noatime,commit=300 $image '\(path)'"])
        guard outcome.status == 0 else { throw SystemError("mount a disk: \(outcome.errors)") }
    }

    /// The disk as it would be after a power cut now, mounted over another folder.
    package func cut(over path: String) async throws -> CuttableDisk {
        try await CuttableDisk(over: path, "cp --sparse=always '\(image)' $image")
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
