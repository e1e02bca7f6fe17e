import Apod
import Archive
import Concurrency
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Favorites

@Suite("The favorites at this moment", .timeLimit(.minutes(10)))
struct CurrentTests {
    private let wall: Wall

    init() async throws { wall = try await Wall() }

    private let clouds = Wall.clouds

    private func current() throws -> CurrentFavorites {
        let archive = try wall.shelf.archive()
        return CurrentFavorites(at: archive.tree.root, archive.favorites, archive.catalog)
    }

    @Test(
        "are those that were there before, and those that come, noted or not",
        arguments: ["", "album/", "album/inner/"])
    func come(album: String) async throws {
        for depth in ["album", "album/inner"] { try wall.album(depth) }
        try wall.link("orion", to: Wall.orionLink)
        let favorites = try current()
        #expect(favorites.days == [Wall.orion])
        try wall.link("\(album)clouds", to: wall.cloudsPath)
        try await eventually { favorites.days == [Wall.orion, clouds] }
        try wall.remove("orion")
        try await eventually { favorites.days == [clouds] }
    }

    @Test("are seen in an album that was moved there, and in a folder that comes back")
    func folders() async throws {
        let favorites = try current()
        #expect(favorites.days.isEmpty)
        let aside = wall.shelf.folder.appending("aside")
        mkdir(aside, 0o755)
        symlink(wall.cloudsPath, "\(aside)/x")
        rename(aside, wall["album"])
        try await eventually { favorites.days == [clouds] }
        rename(wall.folder, aside)
        try await eventually { favorites.days.isEmpty }
        rename(aside, wall.folder)
        try await eventually { favorites.days == [clouds] }
    }

    @Test("are seen at once, however long the last look took", arguments: ["", "album/"])
    func atOnce(album: String) async throws {
        try wall.album("album")
        try wall.album("many")
        for number in 0..<3000 { try wall.link("many/\(number)", to: "../../\(Wall.orionFile)") }
        let favorites = try current()
        #expect(favorites.days == [Wall.orion])
        try wall.link("\(album)clouds", to: wall.cloudsPath)
        #expect(favorites.mayContain(clouds))
        try wall.remove("\(album)clouds")
        #expect(!favorites.mayContain(clouds))
    }

    @Test("are also those that come behind the back of who looks", arguments: ["", "album/"])
    func behind(album: String) async throws {
        try wall.album("album")
        let archive = try wall.shelf.archive()
        let path = wall["\(album)clouds"]
        let picture = wall.cloudsPath
        let favorites = CurrentFavorites(at: archive.tree.root, archive.favorites, archive.catalog) {
            symlink(picture, path)
        }
        #expect(favorites.days == [clouds])
        #expect(!favorites.mayContain(Wall.orion))
    }

    @Test("may be any, as long as the folder never rests", arguments: 0...4)
    func restless(times: Int) async throws {
        let archive = try wall.shelf.archive()
        try wall.link("orion", to: Wall.orionLink)
        let folder = wall.folder
        let looks = Atomic(0)
        let favorites = CurrentFavorites(at: archive.tree.root, archive.favorites, archive.catalog) {
            let number = looks.add(1, ordering: .relaxed).newValue
            if number <= times { symlink("nowhere", "\(folder)/\(number)") }
        }
        #expect(favorites.mayContain(clouds) == (times >= 3))
        #expect(looks.load(ordering: .relaxed) == min(times + 1, 3))
        // It is looked at again, though nothing has changed since.
        #expect(!favorites.mayContain(clouds))
        #expect(favorites.days == [Wall.orion])
    }

    private func eventually(_ holds: () -> Bool) async throws {
        while !holds() { try await sleep(for: .milliseconds(1)) }
    }
}
