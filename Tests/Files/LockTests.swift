import Apod
import Files
import Glibc
import TestSupport
import Testing

struct LockTests {
    private let home: TemporaryFolder
    private let folder: Folder

    init() throws {
        home = try TemporaryFolder()
        folder = try home.open()
    }

    @Test("A lock that another has is no failure but a no")
    func other() throws {
        var mine: File? = try folder.makePrivateFile("turn")
        let other = try folder.makePrivateFile("turn")
        #expect(try mine?.lock(.alone) == true)
        #expect(try !other.lock(.alone) && !other.lock(.shared))
        mine = nil
        #expect(try other.lock(.alone))
    }

    @Test("A lock is seen by who may only read, and is not disturbed by that")
    func seen() throws {
        let file = try folder.makeFile("sign")
        let reader = try #require(try folder.file("sign"))
        #expect(!reader.isLocked)
        #expect(try file.lock(.shared))
        #expect(reader.isLocked)
        #expect(try folder.makeFile("sign").lock(.shared))
        #expect(throws: Problem.self) { try reader.lock(.alone) }
    }
}
