import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

struct CatalogFilesTests {
    private func modes(_ fixture: ArchiveFixture) -> [UInt32?] {
        ["", "-wal", "-shm"].map { Facts(fixture.catalog + $0)?.permissions }
    }

    /// Closed.
    private let fixture: ArchiveFixture

    init() async throws {
        fixture = try ArchiveFixture()
        try await fixture.add(november(1), "Orion")
        try await fixture.close()
        chmod(fixture.folder.path, 0o755)
    }

    @Test("The catalog's files are for the owner and, to read, for the group, in a folder for everybody; and they stay")
    func modes() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(1))
        #expect(modes(fixture) == [0o640, 0o640, 0o640])
        try await fixture.close()
        #expect(modes(fixture) == [0o640, 0o640, 0o640])
        #expect(Facts(fixture.catalog + "-wal")?.bytes == 0)
        let own = fixture[".apod-mirror"]
        #expect(Facts(own)?.permissions == 0o755 && listing(own).count { $0.contains("catalog") } == 3)
    }

    @Test(
        "The catalog's files have these modes again when the mirror is opened", arguments: [0o600, 0o644, 0o666, 0o664])
    func mended(mode: mode_t) async throws {
        for suffix in ["", "-wal", "-shm"] { chmod(fixture.catalog + suffix, mode) }
        chmod(fixture[".apod-mirror"], mode == 0o600 ? 0o700 : 0o777)
        try await fixture.close(afterOpening: true)
        #expect(modes(fixture) == [0o640, 0o640, 0o640])
        #expect(Facts(fixture[".apod-mirror"])?.permissions == 0o755)
    }

    @Test(
        "The catalog's files have favorites beside them in which the group may write, whoever made those",
        .enabled(if: geteuid() == 0, "needs root"))
    func favorites() async throws {
        mkdir(fixture["favorites"], 0o755)
        chmod(fixture["favorites"], 0o755)
        try await fixture.close(afterOpening: true)
        #expect(Facts(fixture["favorites"])?.permissions == 0o2775)
    }

    @Test("The catalog's files are made again when some are gone", arguments: ["-wal", "-shm"])
    func gone(suffix: String) async throws {
        unlink(fixture.catalog + suffix)
        #expect(try fixture.storedDays().count == 1)
        #expect(modes(fixture) == [0o640, 0o640, 0o640])
    }

    @Test("The catalog's files that SQLite has open to read are opened again when they are to be written")
    func readOnly() throws {
        let catalog = try Catalog(toRead: fixture.catalog)
        let error = #expect(throws: Problem.self) { try catalog.setFact(.released, 1) }
        #expect(error?.endsService == true && error?.code == .catalog)
    }

    /// A program of somebody's who asks SQLite.
    private func titles(as identity: [String]) async throws -> Program.Outcome {
        let script = """
            import sqlite3, sys
            database = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
            print(database.execute("SELECT title FROM day").fetchall())
            """
        return try await Program.run(
            "/usr/bin/setpriv", identity + ["/usr/bin/python3", "-c", script, fixture.catalog])
    }

    @Test(
        "The catalog's files are read by a member of the group, and by nobody else, with a writer there and without",
        .enabled(if: geteuid() == 0, "needs root"), arguments: [true, false])
    func members(isOpen: Bool) async throws {
        let archive = isOpen ? try fixture.archive() : nil
        if let archive { try archive.catalog.setFact(.released, 1) }
        let member = try await titles(as: ["--reuid", "65534", "--regid", "65534", "--groups", "0"])
        #expect(member.output == "[('Orion',)]\n", "\(member)")
        #expect(try await titles(as: ["--reuid", "65534", "--regid", "65534", "--clear-groups"]).status != 0)
        withExtendedLifetime(archive) {}
    }

    @Test(
        "The catalog's files that nobody can change are not opened to write, and are when they can be changed",
        .enabled(if: ImmutableFolder.canBeMade, "needs root and immutable files"), arguments: ["", "-wal"])
    func immutable(suffix: String) async throws {
        do {
            let file = try ImmutableFolder(fixture.catalog + suffix)
            let error = #expect(throws: Problem.self) { try Database(fixture.catalog, .write) }
            // The service waits for it.
            #expect(error?.errorNumber == EPERM && error?.path == fixture.catalog + suffix)
            #expect(throws: Never.self) { try Database(fixture.catalog, .read) }
            withExtendedLifetime(file) {}
        }
        try await fixture.add(november(2))
    }
}
