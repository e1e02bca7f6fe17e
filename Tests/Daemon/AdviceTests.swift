import Archive
import Files
import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite("Where the service may not write")
struct AdviceTests {
    private static let systemds = ["INVOCATION_ID": "x", "STATE_DIRECTORY": "/x"]

    private func advice(on path: String, bySystemd: Bool, code: Int32 = EROFS) -> String {
        advice(on: path, bySystemd ? Self.systemds : [:], code)
    }

    private func advice(on path: String, _ variables: [String: String], _ code: Int32) -> String {
        let around = ServiceEnvironment(version: "1", variables: variables) { _ in }
        return around.advice(on: .storage(StorageError("create", "\(path)/nothing/file", code: code)))
    }

    private static let install = "; after a change of `root` or `state`, run systemd/install again"

    private func remount(_ path: String) -> String {
        "; `sudo mount -o remount,rw \"$(findmnt -no TARGET -T '\(path)')\"` makes it writable. "
            + "If it became read-only by itself, check the disk first"
    }

    @Test("as its disk is read-only, that is what is told, whoever started it", .enabled(if: Disk.canBeMade))
    func disk() throws {
        let disk = try Disk("tmpfs", "size=1m")
        try disk.makeReadOnly()
        for bySystemd in [true, false] { #expect(advice(on: disk.path, bySystemd: bySystemd) == remount(disk.path)) }
    }

    @Test("as it is shown the disk read-only, systemd's rules may be to be changed", .enabled(if: Disk.canBeMade))
    func view() throws {
        let disk = try Disk("tmpfs", "size=1m")
        let view = try BindMount(of: disk.path)
        try view.makeReadOnly()
        #expect(advice(on: view.path, bySystemd: true) == Self.install)
        #expect(advice(on: view.path, bySystemd: false) == remount(view.path))
    }

    @Test("as nobody may, or only add things, the error itself tells what to do", arguments: [true, false])
    func fixed(isForAdding: Bool) throws {
        guard ImmutableFolder.canBeMade else { return }
        let folder = try TemporaryFolder()
        let fixed = try ImmutableFolder(folder.path, isForAdding: isForAdding)
        let error = StorageError("create", folder.appending("file"), code: EPERM)
        #expect("\(error)".hasSuffix("Operation not permitted; `sudo chattr -ia '\(folder.path)'` allows it"))
        let around = ServiceEnvironment(version: "1", variables: Self.systemds) { _ in }
        #expect(around.advice(on: .storage(error)) == "")
        withExtendedLifetime(fixed) {}
    }

    @Test("for another reason, nothing is told of disks", arguments: [EACCES, EPERM])
    func refused(code: Int32) throws {
        let folder = try TemporaryFolder()
        #expect(advice(on: folder.path, bySystemd: true, code: code) == Self.install)
        #expect(advice(on: folder.path, bySystemd: false, code: code) == "")
        // A person's own, which no installer lets write anywhere.
        #expect(advice(on: folder.path, ["INVOCATION_ID": "x"], code) == "")
    }
}
