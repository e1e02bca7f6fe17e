import Concurrency
import Files
import Glibc
import TestSupport
import Testing

@Suite("A lock")
struct LockTests {
    private let home: TemporaryFolder
    private let folder: Folder

    init() throws {
        home = try TemporaryFolder()
        folder = try home.open()
    }

    @Test("is one's own until it is released, and its file too")
    func alone() throws {
        var held: File? = try folder.locked("turn")
        #expect(held?.path == home.appending("turn"))
        #expect(Facts(home.appending("turn"))?.permissions == 0o600)
        #expect(throws: StorageError("lock", home.appending("turn"), code: EAGAIN)) {
            try folder.locked("turn", within: .milliseconds(50))
        }
        held = nil
        #expect(throws: Never.self) { try folder.locked("turn", within: .zero) }
    }

    @Test("that another has is no failure but a no")
    func other() throws {
        let mine = try folder.makeLock("turn")
        let other = try folder.makeLock("turn")
        #expect(try mine.lock(.alone))
        #expect(try !other.lock(.alone) && !other.lock(.shared))
    }

    @Test("is for nobody else to open, also where its file was made for everybody")
    func closed() throws {
        _ = try folder.makeFile("turn")
        chmod(home.appending("turn"), 0o644)
        _ = try folder.makeLock("turn")
        #expect(Facts(home.appending("turn"))?.permissions == 0o600)
    }

    @Test("comes as soon as the other lets go of it")
    func turns() async throws {
        let folder = folder
        var held: File? = try folder.locked("turn")
        async let next = blocking { () throws(StorageError) in try folder.locked("turn").path }
        #expect(held?.isLocked == false)
        held = nil
        #expect(try await next == home.appending("turn"))
    }

    @Test("is seen by who may only read, and is not disturbed by that")
    func seen() throws {
        let file = try folder.makeFile("sign")
        let reader = try #require(try folder.file("sign"))
        #expect(!reader.isLocked)
        #expect(try file.lock(.shared))
        #expect(reader.isLocked)
        #expect(try folder.makeFile("sign").lock(.shared))
        #expect(throws: StorageError.self) { try reader.lock(.alone) }
    }
}
