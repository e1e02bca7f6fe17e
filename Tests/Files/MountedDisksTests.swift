import Glibc
import TestSupport
import Testing

@testable import Files

@Suite("A folder on another disk", .serialized, .timeLimit(.minutes(2)), .enabled(if: SilentMount.canBeMade))
struct MountedDisksTests {
    private let home: TemporaryFolder
    private let folder: Folder

    init() throws {
        home = try TemporaryFolder()
        folder = try home.open()
    }

    private func opening(_ name: String) -> (code: Int32?, duration: Duration) {
        let start = ContinuousClock.now
        let code = failure { () throws(StorageError) in _ = try folder.folder(name) }?.code
        return (code, .now - start)
    }

    private func identity(_ name: String) -> File.Identity? {
        home.appending(name).withCString { File.identity(at: $0) }
    }

    @Test(
        "are known by their paths, however the system writes these",
        arguments: [
            ("/mnt", "/mnt"), ("/a\\040b\\040", "/a b "), ("/\\134\\011x", "/\\\tx"), ("/\\303\\251", "/é"),
            ("/a\\9", "/a\\9"), ("/a\\", "/a\\"),
        ])
    func paths(written: String, path: String) {
        let line = "36 35 98:0 / \(written) rw - fuse.sshfs nas:/apod rw"
        #expect(FileSystem.Mount(Array(line.utf8)[...])?.path == path)
    }

    @Test("is read-only, and what only begins with its name is not")
    func readOnly() throws {
        let disk = try Disk("tmpfs")
        mkdir(disk.path + "/a", 0o755)
        let beside = disk.path + "b"
        mkdir(beside, 0o755)
        defer { rmdir(beside) }
        try disk.makeReadOnly()
        for path in [disk.path, disk.path + "/a", disk.path + "/new/er"] { #expect(FileSystem.isDiskReadOnly(path)) }
        #expect(!FileSystem.isDiskReadOnly(beside))
    }

    @Test("is opened like any other if it answers")
    func answers() async throws {
        let disk = try Disk("tmpfs")
        mkdir(home.appending("a"), 0o755)
        mkdir("\(disk.path)/inner", 0o755)
        let outside = try folder.folder("a")?.identity()
        #expect(try folder.known("a")?.isMount == false)
        let mount = try BindMount(of: disk.path, over: home.appending("a"))
        #expect(try folder.known("a")?.isMount == true)
        #expect(try folder.known("a")?.identity == identity("a") && folder.known("none") == nil)
        // Those who asked another disk that had its number may not have heard yet that it is gone.
        while opening("a").code == ETIMEDOUT { try await Task.sleep(for: .milliseconds(1)) }
        let inside = try #require(try folder.folder("a"))
        #expect(try inside.identity() == identity("a") && identity("a") != outside)
        #expect(try inside.folder("inner") != nil)
        #expect(try inside.folder("none") == nil)
        withExtendedLifetime((disk, mount)) {}
    }

    @Test("is waited for but once, and what is known of it not at all")
    func silence() async throws {
        let mount = try SilentMount(over: home.appending("silent"))
        mkdir(home.appending("other"), 0o755)
        let isBack = Awaited(0)
        let number = MountedDisks.whenBack { isBack.update { $0 += 1 } }
        defer { MountedDisks.stopTelling(number) }
        let start = ContinuousClock.now
        #expect(try folder.kind(of: "silent") == .folder)
        #expect(identity("silent") != nil)
        #expect(.now - start < .seconds(1))
        let first = opening("silent")
        #expect(first.code == ETIMEDOUT && first.duration >= .seconds(2))
        let again = opening("silent")
        #expect(again.code == ETIMEDOUT && again.duration < .seconds(1))
        #expect(try folder.folder("other") != nil)
        // That it fails is no answer, however often it does.
        try mount.answer(failing: EIO)
        try await mount.fails(times: 3)
        #expect(isBack.value == 0)
        try mount.answer(with: [("inner", "")])
        _ = try await isBack.first { $0 >= 1 }
        #expect(try folder.folder("silent")?.folder("inner") != nil)
    }

    @Test("is asked itself, though the system could open it from what it knows; others are opened meanwhile")
    func cached() async throws {
        let (mount, other) = (try SilentMount(over: home.appending("a")), try SilentMount(over: home.appending("b")))
        try mount.answer()
        try other.answer()
        #expect(opening("a").code == nil)
        mount.fallSilent()
        #expect(opening("a").code == ETIMEDOUT)
        #expect(opening("b").code == nil)
        // Under another path, it is the same disk.
        mkdir(home.appending("c"), 0o755)
        let second = try BindMount(of: home.appending("a"), over: home.appending("c"))
        let again = opening("c")
        #expect(again.code == ETIMEDOUT && again.duration < .seconds(1))
        withExtendedLifetime((mount, other, second)) {}
    }

    @Test("does not answer for as long as all others that do not", arguments: [2, 10])
    func many(count: Int) async throws {
        mkdir(home.appending("in ner"), 0o755)
        mkdir(home.appending("good"), 0o755)
        symlink(home.path, home.appending("link"))
        let disk = try Disk("tmpfs")
        let good = try BindMount(of: disk.path, over: home.appending("good"))
        do {
            let mounts = try (0..<count).map { try SilentMount(over: home.appending("in ner/\($0)")) }
            let inner = try #require(try Folder.open(home.appending("link")).folder("in ner"))
            let start = ContinuousClock.now
            for number in 0..<count {
                #expect(failure { () throws(StorageError) in _ = try inner.folder("\(number)") }?.code == ETIMEDOUT)
            }
            #expect(.now - start < .seconds(3.5))
            if count < 8 { #expect(opening("good").code == nil) }
            withExtendedLifetime(mounts) {}
        }
        // Those who asked hear of it.
        while opening("good").code != nil { try await Task.sleep(for: .milliseconds(1)) }
        withExtendedLifetime((disk, good)) {}
    }
}
