import Apod
import Archive
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

@Suite("The favorites at this moment", .timeLimit(.minutes(1)))
struct CurrentTests {
    private let clouds = Wall.clouds

    private func current(_ wall: Wall) throws -> CurrentFavorites {
        let archive = try wall.shelf.archive()
        return CurrentFavorites(at: archive.tree.root, archive.catalog)
    }

    @Test(
        "are those that were there before, and those that come, noted or not",
        arguments: ["", "album/", "album/inner/"])
    func come(album: String) async throws {
        let wall = try await Wall()
        for depth in ["album", "album/inner"] { try wall.album(depth) }
        try wall.link("orion", to: "../\(Wall.orionFile)")
        let favorites = try current(wall)
        #expect(favorites.days == [Wall.orion])
        try wall.link("\(album)clouds", to: "\(wall.root)/\(Wall.cloudsFile)")
        try await eventually { favorites.days == [Wall.orion, clouds] }
        try wall.remove("orion")
        try await eventually { favorites.days == [clouds] }
    }

    @Test("are seen in an album that was moved there, and in a folder that comes back")
    func folders() async throws {
        let wall = try await Wall()
        let favorites = try current(wall)
        #expect(favorites.days.isEmpty)
        let aside = wall.shelf.folder.appending("aside")
        mkdir(aside, 0o755)
        symlink("\(wall.root)/\(Wall.cloudsFile)", "\(aside)/x")
        rename(aside, "\(wall.folder)/album")
        try await eventually { favorites.days == [clouds] }
        rename(wall.folder, aside)
        try await eventually { favorites.days.isEmpty }
        rename(aside, wall.folder)
        try await eventually { favorites.days == [clouds] }
    }

    @Test("are not looked for again in a folder that has rested, and are in one that changes")
    func rest() async throws {
        let wall = try await Wall()
        let archive = try wall.shelf.archive()
        try wall.link("orion", to: "../\(Wall.orionFile)")
        let young = Glance(at: archive.tree.root, archive.catalog)
        #expect(young.isOutdated(at: archive.tree.root))
        // What was looked at later was not young any more.
        let later = time(nil) + 3
        let old = Glance(at: archive.tree.root, archive.catalog, now: later)
        #expect(!old.isOutdated(at: archive.tree.root))
        try wall.link("clouds", to: "../\(Wall.cloudsFile)")
        #expect(old.isOutdated(at: archive.tree.root))
        #expect(Glance(at: try Folder.open(wall.shelf.folder.path), archive.catalog).isOutdated(at: archive.tree.root))
    }

    private func eventually(_ holds: () -> Bool) async throws {
        while !holds() { try await nap(for: .milliseconds(1)) }
    }
}
