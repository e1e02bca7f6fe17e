import Apod
import Archive
import Files
import Synchronization
import TestSupport
import Testing

@testable import Catalog

@Suite("What the catalog knows of links that lead elsewhere")
struct LinksTests {
    private static let party = Array("/media/2026/11/2026-11-20 party.jpg".utf8)

    private func noteLink(in catalog: Catalog) throws {
        var change = FolderChange()
        change.seen = [(Place(path: [0x78])!, .unrecognised("why"))]
        try catalog.record(change, at: 0)
    }

    private func goBack(_ script: String, _ catalog: Catalog) throws {
        try catalog.database.withLock { database throws(StorageError) in
            try database.script(
                """
                DROP TABLE refused; DROP TABLE led_elsewhere; DROP TABLE root; ALTER TABLE link ADD COLUMN target BLOB;
                CREATE INDEX elsewhere ON link (target, name) WHERE target IS NOT NULL;
                \(script); PRAGMA user_version = 12
                """)
        }
    }

    @Test("is what they say, once, from when it is noted")
    func noted() throws {
        let catalog = try Shelf().archive().catalog
        #expect(try !catalog.ledElsewhere(Self.party))
        for _ in 0..<2 { try catalog.noteElsewhere([Self.party, [1]]) }
        try catalog.noteElsewhere([])
        #expect(try catalog.ledElsewhere(Self.party) && catalog.ledElsewhere([1]))
        #expect(try !catalog.ledElsewhere(Self.party.dropLast()) && !catalog.isForgetful)
    }

    @Test("is not all when there is more than can be remembered", arguments: [0, 1])
    func tooMany(room: Int) throws {
        let catalog = try Shelf().archive().catalog
        let number = Catalog.mostElsewhere - room
        try catalog.database.withLock { database throws(StorageError) in
            try database.script("INSERT INTO led_elsewhere VALUES (\(number), x'01')")
        }
        #expect(try catalog.isForgetful == (room == 0))
        try catalog.noteElsewhere([Self.party])
        #expect(try catalog.ledElsewhere(Self.party) == (room == 1) && catalog.isForgetful)
        try catalog.noteAllSeen()
        #expect(try catalog.isForgetful)
    }

    @Test("is nothing in a catalog that was made of a tree, until all is seen; where there is none, nothing is missing")
    func remade() async throws {
        let shelf = try Shelf()
        #expect(try !shelf.archive().catalog.isForgetful)
        try await shelf.add(Day("2026-11-01")!)
        try await shelf.close()
        shelf.removeCatalog()
        #expect(try shelf.archive().catalog.isForgetful)
        try shelf.archive().catalog.noteAllSeen()
        #expect(try !shelf.archive().catalog.isForgetful)
        try await shelf.close()
        #expect(try !shelf.archive().catalog.isForgetful)
    }

    @Test("does not count where the mirror itself is, or was")
    func roots() throws {
        let catalog = try Shelf().archive().catalog
        for _ in 0..<2 { try catalog.noteRoot("/srv/apod") }
        try catalog.noteRoot("/mnt/apod")
        for (path, isRoot) in [("/srv/apod", true), ("/mnt/apod", true), ("/srv", false), ("/srv/apod/", false)] {
            #expect(try catalog.isRoot(Array(path.utf8)) == isRoot)
        }
    }
}
