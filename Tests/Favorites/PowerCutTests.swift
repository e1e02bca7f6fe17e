import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

@Suite(.enabled(if: CuttableDisk.canBeMade, "needs root, a loop device and mkfs.ext4"))
struct PowerCutTests {
    @Test("After a power cut each favorite that was told of has its link")
    func links() async throws {
        let room = try await Room()
        // SQLite writes over its log in place by then: that brings nothing else to the disk.
        for _ in 0..<600 { try room.add(in: "") }
        for _ in 0..<4 {
            try room.add(in: "")
            try await room.cutAndStart()
        }
    }

    @Test("After a power cut a new album that was told of is there, and the one that it is in")
    func albums() async throws {
        let room = try await Room()
        for _ in 0..<400 { try room.add(in: "") }
        for number in 0..<3 {
            mkdir("\(room.favorites)/\(number)", 0o755)
            mkdir("\(room.favorites)/\(number)/inner", 0o755)
            try room.add(in: "\(number)/inner/", .everywhere)
            try await room.cutAndStart()
            // Its name is new again.
            rename("\(room.favorites)/\(number)", "\(room.favorites)/new \(number)")
            try room.keeper.look(.everywhere)
            try room.add(in: "new \(number)/inner/")
            try await room.cutAndStart()
        }
    }

    @Test("After a power cut a copy that was told of has its content")
    func copy() async throws {
        let room = try await Room()
        let copy = try contents("\(room.mirror.root)/\(FavoritesFixture.orionFile)")
        try save(copy, to: "\(room.favorites)/copy.jpg")
        try room.keeper.look(.everywhere)
        // Its content is compared, and what it is comes into the catalog; no link takes its place yet.
        _ = try room.keeper.settle()
        _ = try? room.keeper.tidy { false }
        #expect(try room.mirror.favorites.favorites.count == 1)
        try await room.cut { mirror throws in
            #expect(try contents(mirror["favorites/copy.jpg"]) == copy)
        }
        try await room.cutAndStart()
    }

    @Test("After a power cut links that were made at the command line are there")
    func editor() async throws {
        let room = try await Room()
        let editor = try FavoritesEditor(
            root: room.mirror.root, catalog: try room.mirror.openCatalog, favorites: room.mirror.favorites)
        let place = try #require(try editor.add(Subject(FavoritesFixture.orion)))
        try editor.sync([place])
        try await room.cut { mirror in #expect(target(of: mirror["favorites/\(place)"]) != nil) }
    }
}

/// A mirror on such a disk.
private final class Room {
    let mirror: ArchiveFixture
    let disk: CuttableDisk
    let keeper: Keeper
    private var day = Day("1995-06-20")!

    init() async throws {
        mirror = try ArchiveFixture()
        disk = try await CuttableDisk(over: mirror.folder.path)
        try await mirror.add(FavoritesFixture.orion, "Orion Rising")
        keeper = Self.keeper(try mirror.archive())
        keeper.makeFolder()
        try keeper.look(.everywhere)
    }

    var favorites: String { mirror["favorites"] }

    private static func keeper(_ archive: Archive) -> Keeper {
        Keeper(archive, settleDelay: .zero, clock: { time(nil) })
    }

    /// A favorite of a day of its own. Returns when it has been told of.
    func add(in album: String, _ dirty: DirtyPaths? = nil) throws {
        day = day.advanced(by: 1)
        guard symlink("\(day)", "\(favorites)/\(album)\(day)") == 0 else { throw SystemError("symlink") }
        try keeper.look(dirty ?? .places(["\(album)\(day)"]))
    }

    func cut(_ look: (ArchiveFixture) throws -> Void) async throws {
        let copy = try ArchiveFixture()
        let disk = try await disk.cut(over: copy.folder.path)
        try look(copy)
        try await copy.close()
        withExtendedLifetime(disk) {}
    }

    /// All that were told of are favorites still when the service has started and looked.
    func cutAndStart() async throws {
        let told = try mirror.favorites.favorites.map(\.day)
        try await cut { copy in
            let keeper = Self.keeper(try copy.archive())
            try keeper.look(.everywhere)
            for _ in 0..<3 where try keeper.settle() == nil { break }
            let favorites = try copy.favorites.favorites
            #expect(Set(told).subtracting(favorites.map(\.day)) == [])
            #expect(favorites.allSatisfy { !$0.links.isEmpty })
        }
    }
}
