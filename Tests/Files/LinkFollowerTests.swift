import Files
import Glibc
import TestSupport
import Testing

@Suite("A link is followed", .enabled(if: SilentMount.canBeMade))
struct LinkFollowerTests {
    private let home: TemporaryFolder
    private let folder: Folder

    init() throws {
        home = try TemporaryFolder()
        folder = try home.open()
    }

    private func link(_ name: String, to target: String) { symlink(target, home.appending(name)) }

    private func end(of name: String, _ follower: LinkFollower) throws(StorageError) -> LinkEnd {
        let target = folder.targetBytes(of: name) ?? []
        return try follower.end(of: name, to: target, in: folder)
    }

    @Test("on this disk and on another")
    func follows() throws {
        let disk = try Disk("tmpfs")
        try save([1, 2], to: home.appending("near file"))
        try save([1, 2, 3], to: "\(disk.path)/far file")
        link("near", to: "near file")
        link("far", to: "\(disk.path)/far file")
        link("nowhere", to: "\(disk.path)/none")
        let follower = LinkFollower()
        #expect(try end(of: "near", follower).facts.bytes == 2)
        let far = try end(of: "far", follower)
        #expect(far.facts.bytes == 3)
        #expect(far.path == Array("\(disk.path)/far file".utf8))
        #expect(failure { () throws(StorageError) in _ = try end(of: "nowhere", follower) }?.code == ENOENT)
    }

    @Test("at once into the root, though its path is an absolute one; out of it, to wherever it leads")
    func belowRoot() throws {
        let disk = try Disk("tmpfs")
        try save([1], to: "\(disk.path)/inside")
        try save([1, 2], to: home.appending("outside"))
        let root = try Folder.open(disk.path)
        symlink("\(disk.path)/inside", "\(disk.path)/a")
        symlink(home.appending("outside"), "\(disk.path)/b")
        // So short that no thread could answer.
        let follower = LinkFollower(root: root, limit: .zero)
        func end(_ name: String, _ follower: LinkFollower) throws(StorageError) -> LinkEnd {
            try follower.end(of: name, to: root.targetBytes(of: name) ?? [], in: root)
        }
        #expect(try end("a", follower).facts.bytes == 1)
        #expect(try end("b", LinkFollower(root: root)).facts.bytes == 2)
    }

    @Test("not for ever, and not again while nobody answers there; then it is told")
    func silence() async throws {
        var mount: SilentMount? = try SilentMount(over: home.appending("silent one"))
        let limit = Duration.milliseconds(400)
        let isBack = Awaited(0)
        let follower = LinkFollower(limit: limit) { isBack.update { $0 += 1 } }
        for name in ["a", "b"] { link(name, to: home.appending("silent one/\(name)/x")) }
        func time(_ name: String) -> (code: Int32?, duration: Duration) {
            let start = ContinuousClock.now
            let code = failure { () throws(StorageError) in _ = try end(of: name, follower) }?.code
            return (code, .now - start)
        }
        let first = time("a")
        #expect(first.code == ETIMEDOUT && first.duration >= limit)
        for name in ["a", "b", "a"] {
            let again = time(name)
            #expect(again.code == ETIMEDOUT && again.duration < limit)
        }
        // What is elsewhere is followed.
        let disk = try Disk("tmpfs")
        link("far", to: disk.path)
        #expect(try end(of: "far", follower).facts.isFolder)
        #expect(isBack.value == 0)
        _ = mount.take()
        _ = try await isBack.first { $0 == 1 }
        #expect(time("a").code == ENOENT)
        withExtendedLifetime(disk) {}
    }

    @Test("into several places that do not answer, with one wait for all", arguments: [1, 2, 7])
    func together(count: Int) async throws {
        let mounts = try (0..<count).map { try SilentMount(over: home.appending("silent \($0)")) }
        for number in 0..<count { link("\(number)", to: home.appending("silent \(number)/x")) }
        let limit = Duration.milliseconds(400)
        let isBack = Awaited(0)
        let follower = LinkFollower(limit: limit) { isBack.update { $0 += 1 } }
        let start = ContinuousClock.now
        for number in 0..<count {
            #expect(failure { () throws(StorageError) in try end(of: "\(number)", follower) }?.code == ETIMEDOUT)
        }
        #expect(.now - start < limit * 1.8)
        for mount in mounts { try mount.answer() }
        _ = try await isBack.first { $0 == count }
        for number in 0..<count {
            #expect(failure { () throws(StorageError) in try end(of: "\(number)", follower) }?.code == ENOENT)
        }
    }

    @Test("nowhere while it is awaited in as many places as threads may wait for")
    func bounded() async throws {
        let disk = try Disk("tmpfs")
        link("far", to: disk.path)
        let isBack = Awaited(0)
        let follower = LinkFollower(limit: .milliseconds(20)) { isBack.update { $0 += 1 } }
        do {
            let mounts = try (1...8).map { try SilentMount(over: home.appending("silent \($0)")) }
            for number in 1...8 {
                link("\(number)", to: home.appending("silent \(number)/x"))
                #expect(failure { () throws(StorageError) in try end(of: "\(number)", follower) }?.code == ETIMEDOUT)
            }
            #expect(failure { () throws(StorageError) in try end(of: "far", follower) }?.code == ETIMEDOUT)
            withExtendedLifetime(mounts) {}
        }
        _ = try await isBack.first { $0 == 8 }
    }
}
