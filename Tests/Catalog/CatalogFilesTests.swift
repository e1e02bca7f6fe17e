import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

@Suite("The catalog's files")
struct CatalogFilesTests {
    private func modes(_ shelf: Shelf) -> [UInt32?] {
        ["", "-wal", "-shm"].map { Facts(shelf.catalog + $0)?.permissions }
    }

    /// Closed.
    private let shelf: Shelf

    init() async throws {
        shelf = try Shelf()
        try await shelf.add(november(1), "Orion")
        try await shelf.close()
        chmod(shelf.folder.path, 0o755)
    }

    @Test("are for the owner and, to read, for the group, in a folder for everybody; and they stay")
    func modes() async throws {
        let shelf = try Shelf()
        try await shelf.add(november(1))
        #expect(modes(shelf) == [0o640, 0o640, 0o640])
        try await shelf.close()
        #expect(modes(shelf) == [0o640, 0o640, 0o640])
        #expect(Facts(shelf.catalog + "-wal")?.bytes == 0)
        let own = shelf[".apod-mirror"]
        #expect(Facts(own)?.permissions == 0o755 && listing(own).count { $0.contains("catalog") } == 3)
    }

    @Test("have these modes again when the mirror is opened", arguments: [0o600, 0o644, 0o666, 0o664])
    func mended(mode: mode_t) async throws {
        for suffix in ["", "-wal", "-shm"] { chmod(shelf.catalog + suffix, mode) }
        chmod(shelf[".apod-mirror"], mode == 0o600 ? 0o700 : 0o777)
        try await shelf.close(afterOpening: true)
        #expect(modes(shelf) == [0o640, 0o640, 0o640])
        #expect(Facts(shelf[".apod-mirror"])?.permissions == 0o755)
    }

    @Test("have favorites beside them in which the group may write, whoever made those", .enabled(if: geteuid() == 0))
    func favorites() async throws {
        mkdir(shelf["favorites"], 0o755)
        chmod(shelf["favorites"], 0o755)
        try await shelf.close(afterOpening: true)
        #expect(Facts(shelf["favorites"])?.permissions == 0o2775)
    }

    @Test("are made again when some are gone", arguments: ["-wal", "-shm"])
    func gone(suffix: String) async throws {
        unlink(shelf.catalog + suffix)
        #expect(try shelf.storedDays().count == 1)
        #expect(modes(shelf) == [0o640, 0o640, 0o640])
    }

    @Test("that SQLite has open to read are opened again when they are to be written")
    func readOnly() throws {
        let catalog = try Catalog(toRead: shelf.catalog)
        let error = #expect(throws: StorageError.self) { try catalog.setFact(.released, 1) }
        #expect(error?.endsService == true && error?.isUnusableCatalog == false)
    }

    /// A program of somebody's who asks SQLite.
    private func titles(as identity: [String]) async throws -> Program.Outcome {
        let script = """
            import sqlite3, sys
            database = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
            print(database.execute("SELECT title FROM day").fetchall())
            """
        return try await Program.run("/usr/bin/setpriv", identity + ["/usr/bin/python3", "-c", script, shelf.catalog])
    }

    @Test(
        "are read by a member of the group, and by nobody else, with a writer there and without",
        .enabled(if: geteuid() == 0), arguments: [true, false])
    func members(isOpen: Bool) async throws {
        let archive = isOpen ? try shelf.archive() : nil
        if let archive { try archive.catalog.setFact(.released, 1) }
        let member = try await titles(as: ["--reuid", "65534", "--regid", "65534", "--groups", "0"])
        #expect(member.output == "[('Orion',)]\n", "\(member)")
        #expect(try await titles(as: ["--reuid", "65534", "--regid", "65534", "--clear-groups"]).status != 0)
        withExtendedLifetime(archive) {}
    }

    @Test(
        "that nobody can change are not opened to write, and are when they can be changed",
        .enabled(if: ImmutableFolder.canBeMade), arguments: ["", "-wal"])
    func immutable(suffix: String) async throws {
        do {
            let file = try ImmutableFolder(shelf.catalog + suffix)
            let error = #expect(throws: StorageError.self) { try Database(shelf.catalog, .write) }
            // The service waits for it.
            #expect(error?.code == EPERM && error?.path == shelf.catalog + suffix)
            #expect(throws: Never.self) { try Database(shelf.catalog, .read) }
            withExtendedLifetime(file) {}
        }
        try await shelf.add(november(2))
    }
}
