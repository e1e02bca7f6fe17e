import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Archive

@Suite("A copy of the catalog")
struct CatalogCopyTests {
    private static let first = Day("2026-11-01")!

    private func days(_ shelf: Shelf) throws -> Int { try CatalogCopy.open(shelf.catalog).summary().days }

    @Test("has what is in the log and what is not, and stays as it was")
    func log() async throws {
        let shelf = try Shelf()
        try await shelf.add(Self.first)
        try await shelf.close()
        #expect(try days(shelf) == 1)
        try await shelf.add(Self.first.advanced(by: 1))
        #expect(Facts(shelf.catalog + "-wal")?.bytes != 0)
        let copy = try CatalogCopy.open(shelf.catalog)
        try await shelf.add(Self.first.advanced(by: 2))
        #expect(try copy.summary().days == 2)
        #expect(try copy.search(["some", "text"], limit: 9).count == 2)
        #expect(try days(shelf) == 3)
        #expect(throws: CatalogError.self) { try copy.setFact(.since, 1) }
        try await shelf.close()
        unlink(shelf.catalog + "-wal")
        #expect(try days(shelf) == 3)
    }

    @Test("is of one moment, however busily others write")
    func consistent() async throws {
        let shelf = try Shelf()
        let archive = try shelf.archive()
        let days = (0..<300).map { Self.first.advanced(by: -$0) }
        let isOver = Atomic(false)
        let write = { @Sendable (round: Int) throws(CatalogError) in
            try archive.catalog.record(
                days.map { .init(Standing(day: $0, state: .failed, attempts: round, reason: "\(round)")) })
        }
        try write(0)
        async let rounds = blocking { () throws(CatalogError) in
            var round = 0
            while !isOver.load(ordering: .relaxed) {
                round += 1
                try write(round)
            }
            return round
        }
        var seen: Set<Int> = []
        for _ in 0..<100 {
            let copy = try CatalogCopy.open(shelf.catalog)
            let attempts = try Set(days.map { try copy.standing(of: $0)?.attempts ?? -1 })
            #expect(attempts.count == 1)
            seen.formUnion(attempts)
            try copy.check()
        }
        isOver.store(true, ordering: .relaxed)
        #expect(try await rounds >= 10 && seen.count >= 5, "\(seen)")
    }

    @Test("says what is wrong with the catalog, and marks it not")
    func damaged() async throws {
        let shelf = try Shelf()
        try await shelf.add(Self.first)
        try await shelf.close()
        var bytes = try contents(shelf.catalog)
        bytes.replaceSubrange(8192..<(bytes.count), with: repeatElement(0xee, count: bytes.count - 8192))
        try save(bytes, to: shelf.catalog)
        #expect {
            _ = try CatalogCopy.open(shelf.catalog).summary()
        } throws: { "\($0)".contains(shelf.catalog) }
        #expect(access(shelf.catalog + ".suspect", F_OK) != 0)
    }
}
