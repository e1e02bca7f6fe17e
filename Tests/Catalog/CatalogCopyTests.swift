import Apod
import Concurrency
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

@Suite("A copy of the catalog")
struct CatalogCopyTests {
    private static let first = Day("2026-11-01")!

    private func days(_ shelf: Shelf) throws -> Int { try CatalogCopy.opened(shelf.catalog).summary().days }

    @Test("has what is in the log and what is not, and stays as it was")
    func log() async throws {
        let shelf = try Shelf()
        try await shelf.add(Self.first)
        try await shelf.close()
        #expect(try days(shelf) == 1)
        try await shelf.add(Self.first.advanced(by: 1))
        #expect(Facts(shelf.catalog + "-wal")?.bytes != 0)
        let copy = try CatalogCopy.opened(shelf.catalog)
        try await shelf.add(Self.first.advanced(by: 2))
        #expect(try copy.summary().days == 2)
        #expect(try copy.search(["some", "text"], limit: 9).count == 2)
        #expect(try days(shelf) == 3)
        #expect(throws: StorageError.self) { try copy.setFact(.since, 1) }
        try await shelf.close()
        unlink(shelf.catalog + "-wal")
        #expect(try days(shelf) == 3)
    }

    /// Writes now half of the days and now the other.
    private struct Writer {
        let catalog: Catalog
        let days = (0..<600).map { first.advanced(by: -$0) }
        private(set) var round = 0

        init(_ shelf: Shelf) throws {
            catalog = try shelf.archive().catalog
            for _ in 0..<2 { try write() }
        }

        mutating func write() throws(StorageError) {
            round += 1
            let half = round % 2 == 0 ? days.prefix(300) : days.suffix(300)
            try catalog.record(
                half.map { .init(DayStatus(day: $0, state: .failed, attempts: round, reason: "\(round)")) })
        }

        /// Until what is in the log has gone into the catalog.
        mutating func writeMuch(_ shelf: Shelf) throws {
            let before = Facts(shelf.catalog)
            while Facts(shelf.catalog)?.nanoseconds == before?.nanoseconds { try write() }
        }

        /// The last round that a copy has, all of it and of the one before.
        func last(in copy: Catalog) throws -> Int {
            let attempts = try [days.prefix(300), days.suffix(300)].map { half in
                try Set(half.map { try copy.status(of: $0)?.attempts ?? -1 })
            }
            #expect(attempts.allSatisfy { $0.count == 1 })
            #expect(abs(attempts[0].first! - attempts[1].first!) == 1)
            return attempts.joined().max()!
        }
    }

    @Test("is of one moment, however busily others write")
    func consistent() async throws {
        let shelf = try Shelf()
        let writer = try Writer(shelf)
        let isOver = Atomic(false)
        async let rounds = blocking { () throws(StorageError) in
            var busy = writer
            while !isOver.load(ordering: .relaxed) { try busy.write() }
            return busy.round
        }
        var seen: Set<Int> = []
        for _ in 0..<60 {
            let copy = try CatalogCopy.opened(shelf.catalog)
            seen.insert(try writer.last(in: copy))
            try copy.check()
        }
        isOver.store(true, ordering: .relaxed)
        #expect(try await rounds >= 10 && seen.count >= 5, "\(seen)")
    }

    @Test(
        "is taken again if the log has gone into the catalog meanwhile, or has begun anew",
        arguments: ["catalog.sqlite", "catalog.sqlite-wal"])
    func interrupted(behind name: String) async throws {
        let shelf = try Shelf()
        var writer = try Writer(shelf)
        try writer.writeMuch(shelf)
        let before = writer.round
        let pieces = Mutex(0)
        let copy = try CatalogCopy.opened(shelf.catalog) { piece in
            guard piece == name,
                (pieces.withLock {
                    $0 += 1
                    return $0
                }) == 1
            else { return }
            for _ in 0..<60 { try? writer.write() }
            if name == "catalog.sqlite" { try? writer.writeMuch(shelf) }
            try? writer.write()
        }
        #expect(writer.round > before + 30)
        #expect(try writer.last(in: copy) == writer.round)
        #expect(pieces.withLock(\.self) > 1)
    }

    @Test("is taken again if others came and went, who left the log as empty as before")
    func visited() async throws {
        let shelf = try Shelf()
        try await shelf.add(Self.first)
        try await shelf.close()
        var isFirst = true
        let copy = try CatalogCopy.opened(shelf.catalog) { piece in
            if piece.isEmpty { return }
            defer { isFirst = false }
            if isFirst { try? Archive.catalogBeside(root: shelf.root)?.setFact(.since, 7) }
        }
        #expect(Facts(shelf.catalog + "-wal")?.bytes == 0)
        #expect(try copy.fact(.since) == 7)
    }

    @Test("is not taken in the moment of a change: another one could not be told from it")
    func moment() async throws {
        let shelf = try Shelf()
        try await shelf.add(Self.first)
        try await shelf.close()
        let catalog = try File.reading(shelf.catalog)
        for _ in 0..<10 {
            _ = try CatalogCopy.opened(shelf.catalog) { piece in
                if piece.isEmpty {
                    chmod(shelf.catalog, 0o644)
                } else {
                    #expect((try? catalog.facts().showsNextChange) == true)
                }
            }
        }
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
            _ = try CatalogCopy.opened(shelf.catalog).summary()
        } throws: { "\($0)".contains(shelf.catalog) }
        // Nor does it say that nothing is here.
        let copy = try CatalogCopy.opened(shelf.catalog)
        #expect(throws: StorageError.self) { try copy.newest() }
        #expect(throws: StorageError.self) { try copy.oldest() }
        #expect(access(shelf.catalog + ".suspect", F_OK) != 0)
    }

    @Test("of which a kill has left something is cleared away by the next one", .enabled(if: geteuid() == 0))
    func leftover() throws {
        let temporary = try TemporaryFolder()
        let all = ["catalog.sqlite", "catalog.sqlite-shm", "catalog.sqlite-wal"]
        func leave(_ name: String, _ files: [String], age: Int, owner: uid_t = 0) throws -> String {
            let path = temporary.appending(name)
            mkdir(path, 0o700)
            for file in files { try save([0], to: "\(path)/\(file)") }
            chown(path, owner, 0)
            try File.reading(path).setModified(Int(time(nil)) - age)
            return path
        }
        let kept = [
            try leave(".apod-mirror-copy.d", all, age: 3500), try leave(".apod-mirror-copy.f", [], age: 0),
            try leave(".apod-mirror-copy.e", all, age: 90_000, owner: 65534), try leave("copy.f", all, age: 90_000),
        ]
        let before = listing(temporary.path)
        _ = try leave(".apod-mirror-copy.a", all, age: 3700)
        _ = try leave(".apod-mirror-copy.b", [all[0]], age: 90_000)
        _ = try leave(".apod-mirror-copy.c", [], age: 3700)
        // Whatever else there is, somebody else has put there.
        _ = try leave(".apod-mirror-copy.g", [all[0], "mine"], age: 90_000)
        CatalogCopy.removeLeftovers(in: temporary.path)
        #expect(listing(temporary.path) == (before + [".apod-mirror-copy.g/", ".apod-mirror-copy.g/mine"]).sorted())
        #expect(kept.allSatisfy { Facts($0) != nil })
    }
}

extension CatalogCopy {
    fileprivate static func opened(_ path: String, pause: @escaping (String) -> Void = { _ in }) throws -> Catalog {
        let copy = try CatalogCopy(of: path, pause: pause)
        defer { copy.remove() }
        return try copy.open()
    }
}
