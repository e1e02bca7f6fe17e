import Apod
import Files
import Glibc
import TestSupport
import Testing

struct StagedTests {
    private let home: TemporaryFolder
    private let unfinished: Folder
    private let target: Folder

    init() throws {
        home = try TemporaryFolder()
        unfinished = try home.open().makeFolder("unfinished")
        target = try home.open().makeFolder("target")
    }

    @Test("A staged file has its final name only once it is published")
    func publish() throws {
        let staged = try Staged([1, 2, 3], in: unfinished, as: "part", modified: 803_260_800)
        #expect(try target.names() == [])
        // Once more, as after something else has failed.
        for _ in 1...2 { try staged.publish(in: target, as: "final") }
        #expect(try target.names() == ["final"])
        #expect(try unfinished.names() == [])
        #expect(try target.file("final")?.contents(atMost: 3) == [1, 2, 3])
    }

    @Test(
        "A staged file for which there is no room leaves nothing behind",
        .disks)
    func full() throws {
        let disk = try Disk("tmpfs", "size=64k")
        let folder = try Folder.open(disk.path)
        #expect { try Staged([UInt8](repeating: 1, count: 100_000), in: folder, as: "part") } throws: {
            ($0 as? Problem)?.isFull == true
        }
        #expect(try folder.names() == [])
    }

    @Test("A staged file replaces what was published before, in one step")
    func replace() throws {
        try Staged([1], in: unfinished, as: "part").publish(in: target, as: "final")
        let old = try #require(try target.file("final"))
        try Staged([2], in: unfinished, as: "part").publish(in: target, as: "final")
        #expect(try old.contents(atMost: 1) == [1])
        #expect(try target.file("final")?.contents(atMost: 1) == [2])
    }

    @Test(
        "A staged file that was published durably is whole after a power cut",
        .powerCuts)
    func powerCut() async throws {
        let disk = try await PowerDisk()
        let folder = try Folder.open(disk.path)
        try Staged([1, 2, 3], in: folder, as: "part").publishDurably(in: folder, as: "final")
        let left = try Folder.open(try await disk.cut())
        #expect(try left.file("final")?.contents(atMost: 3) == [1, 2, 3] && left.file("part") == nil)
    }

    @Test("A staged file must have the length that it should", arguments: [0, 2, 4])
    func length(bytes: Int) throws {
        let file = try unfinished.makeFile("part")
        try file.append([1, 2, 3])
        let failure = failure(try Staged(file, in: unfinished, as: "part", bytes: bytes))
        #expect(failure == Problem("write the whole of", unfinished.path(of: "part"), code: EIO))
    }

    @Test("A staged file keeps what it can be made again with until it has its name, and says which that is")
    func companion() throws {
        _ = try target.makeFolder("taken")
        let file = try unfinished.makeFile("part")
        try unfinished.makeFile("part.note").append([1])
        let staged = try Staged(file, in: unfinished, as: "part", bytes: 0, companion: "part.note")
        let failure = failure(try staged.publish(in: target, as: "taken"))
        #expect(failure?.path == target.path(of: "taken"))
        #expect(try unfinished.names().sorted() == ["part", "part.note"])
        try staged.publish(in: target, as: "final")
        #expect(try unfinished.names() == [])
    }
}
