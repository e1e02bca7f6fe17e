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

    @Test("are there for every reader, but for the memory that writers share")
    func modes() async throws {
        let shelf = try Shelf()
        try await shelf.add(Day("2026-11-01")!)
        #expect(modes(shelf) == [0o644, 0o644, 0o600])
        try await shelf.close()
        #expect(modes(shelf) == [0o644, 0o644, 0o600])
        #expect(Facts(shelf.catalog + "-wal")?.bytes == 0)
        #expect(listing("\(shelf.root)/.apod-mirror").count { $0.contains("-shm") } == 1)
    }

    @Test(
        "are for no more people than may look into their folder, and to read only, whoever may write there",
        arguments: [(0o700, 0o600), (0o750, 0o640), (0o770, 0o640), (0o775, 0o644)] as [(mode_t, mode_t)])
    func privacy(of folder: mode_t, files: mode_t) async throws {
        let shelf = try Shelf()
        mkdir(shelf.root, 0o755)
        mkdir("\(shelf.root)/.apod-mirror", 0o700)
        chmod("\(shelf.root)/.apod-mirror", folder)
        try await shelf.add(Day("2026-11-01")!)
        #expect(modes(shelf) == [files, files, 0o600])
    }

    @Test("are closed when the memory was gone, whoever comes first", arguments: ["reads", "writes beside", "writes"])
    func gone(first: String) async throws {
        let shelf = try Shelf()
        try await shelf.add(Day("2026-11-01")!)
        try await shelf.close()
        for suffix in ["-wal", "-shm"] { unlink(shelf.catalog + suffix) }
        switch first {
        case "reads": #expect(try Archive.catalogToRead(root: shelf.root)?.summary().days == 1)
        case "writes beside": _ = try Archive.catalogBeside(root: shelf.root)
        default: _ = try shelf.archive()
        }
        #expect(modes(shelf) == [0o644, 0o644, 0o600])
    }

    @Test("that somebody may have opened while everybody could are not used any more")
    func open() async throws {
        let shelf = try Shelf()
        try await shelf.add(Day("2026-11-01")!)
        try await shelf.close()
        chmod(shelf.catalog + "-shm", 0o644)
        let before = try #require(Facts(shelf.catalog + "-shm")?.inode)
        let held = try File.reading(shelf.catalog + "-shm")
        // In use by another program perhaps, it stays what it is.
        _ = try Archive.catalogBeside(root: shelf.root)
        #expect(modes(shelf)[2] == 0o1600 && Facts(shelf.catalog + "-shm")?.inode == before)
        chmod(shelf.catalog + "-shm", 0o640)
        #expect(try shelf.storedDays().count == 1)
        #expect(modes(shelf)[2] == 0o600 && Facts(shelf.catalog + "-shm")?.inode != before)
        withExtendedLifetime(held) {}
    }

    @Test("stay, when they were closed already")
    func closed() async throws {
        let shelf = try Shelf()
        try await shelf.close(afterOpening: true)
        let before = try #require(Facts(shelf.catalog + "-shm")?.inode)
        try await shelf.close(afterOpening: true)
        #expect(Facts(shelf.catalog + "-shm")?.inode == before)
    }

    @Test("are nobody's but the owner's while a catalog is being made, and everybody's when it could not be finished")
    func new() async throws {
        let shelf = try Shelf()
        try await shelf.close(afterOpening: true)
        shelf.removeCatalog()
        do {
            let database = try Database(shelf.catalog, .write)
            try database.script("PRAGMA journal_mode = WAL")
            #expect(modes(shelf)[0] == 0o600 && modes(shelf)[2] == 0o600)
        }
        try await shelf.add(Day("2026-11-01")!)
        #expect(modes(shelf) == [0o644, 0o644, 0o600])
    }

    @Test("that a program was making when it was killed are cleared away later")
    func leftover() async throws {
        let shelf = try Shelf()
        try await shelf.close(afterOpening: true)
        let names = ["7f00aa", "7f00ab", "backup"].map { "\(shelf.catalog)-shm.\($0)" }
        for name in names { try save([0], to: name) }
        for name in [names[0], names[2]] { try File.reading(name).setModified(Int(time(nil)) - 3601) }
        try await shelf.close(afterOpening: true)
        #expect(names.map { access($0, F_OK) == 0 } == [false, true, true])
    }

    @Test(
        "that nobody can change are not opened to write, and are when they can be changed",
        .enabled(if: ImmutableFolder.canBeMade), arguments: ["", "-wal"])
    func immutable(suffix: String) async throws {
        let shelf = try Shelf()
        try await shelf.add(Day("2026-11-01")!)
        try await shelf.close()
        do {
            let file = try ImmutableFolder(shelf.catalog + suffix)
            let error = #expect(throws: StorageError.self) { try Database(shelf.catalog, .write) }
            // The service waits for it.
            #expect(error?.code == EPERM && error?.path == shelf.catalog + suffix)
            #expect(throws: Never.self) { try Database(shelf.catalog, .read) }
            withExtendedLifetime(file) {}
        }
        try await shelf.add(Day("2026-11-02")!)
    }
}
