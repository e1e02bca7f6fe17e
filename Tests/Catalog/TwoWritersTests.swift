import Apod
import Concurrency
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

@Suite("Two who write in one catalog")
struct TwoWritersTests {
    @Test("wait for each other, and each finds what the other has written", arguments: [0, 1_200])
    func wait(milliseconds: Int) async throws {
        let shelf = try Shelf()
        let archive = try shelf.archive()
        let beside = try #require(try Archive.catalogBeside(root: shelf.root))
        let isIn = Awaited(false)
        let start = ContinuousClock.now
        async let first: Void = blocking { () throws(StorageError) in
            try beside.database.withLock { database throws(StorageError) in
                try database.transaction { () throws(StorageError) in
                    try database.run("REPLACE INTO fact VALUES ('since', 1)")
                    isIn.update { $0 = true }
                    usleep(UInt32(milliseconds) * 1_000)
                }
            }
        }
        _ = try await isIn.first { $0 }
        // Whoever reads does not wait.
        let seen = try #require(try Archive.catalogToRead(root: shelf.root)).fact(.since)
        #expect(milliseconds == 0 || seen == nil)
        let read = ContinuousClock.now
        try await shelf.add(Day("2026-11-01")!)
        try await first
        #expect(.now - start >= .milliseconds(milliseconds))
        #expect(milliseconds == 0 || read - start < .milliseconds(milliseconds))
        #expect(try archive.catalog.fact(.since) == 1)
        #expect(try beside.status(of: Day("2026-11-01")!)?.state == .mirrored)
    }

    @Test("do not come between what the other reads and what it writes then")
    func between() async throws {
        let shelf = try Shelf()
        let archive = try shelf.archive()
        let beside = try #require(try Archive.catalogBeside(root: shelf.root))
        let hasRead = Awaited(false)
        async let first: Void = blocking { () throws(StorageError) in
            try beside.changing { database throws(StorageError) in
                _ = try database.first("SELECT value FROM fact WHERE name = 'since'") { $0.integer(0) }
                hasRead.update { $0 = true }
                usleep(500_000)
                try database.run("REPLACE INTO fact VALUES ('since', 1)")
            }
        }
        _ = try await hasRead.first { $0 }
        try await blocking { () throws(StorageError) in try archive.catalog.setFact(.maxFile, 2) }
        try await first
        #expect(try archive.catalog.fact(.since) == 1 && beside.fact(.maxFile) == 2)
    }
}
