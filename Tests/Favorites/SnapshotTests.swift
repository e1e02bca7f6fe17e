import Apod
import Archive
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

@Suite("A snapshot of the favorites folder", .timeLimit(.minutes(10)))
struct SnapshotTests {
    private let wall: Wall

    init() async throws { wall = try await Wall() }

    private func days() throws -> [Day] {
        let archive = try wall.shelf.archive()
        return try FavoritesSnapshot(at: archive.tree.root, archive.favorites, archive.catalog).days.sorted()
    }

    @Test(
        "has what leads to a day, is its picture or a copy of it, whether the history has it or not",
        arguments: [
            "ln -s \"$CLOUDS\" x", "mkdir -p a/b; ln -s \"$CLOUDS\" a/b/x", "ln \"$CLOUDS\" x", "cp \"$CLOUDS\" x.jpg",
        ])
    func there(script: String) async throws {
        try wall.link("orion", to: Wall.orionLink)
        #expect(try days() == [Wall.orion])
        try await wall.shell("CLOUDS='\(wall.cloudsPath)'; \(script)")
        #expect(try days() == [Wall.clouds, Wall.orion])
        try wall.look()
        #expect(try days() == [Wall.clouds, Wall.orion])
        try await wall.shell("rm -r *")
        #expect(try days() == [])
    }

    @Test("has nothing of what is no favorite, and of a folder that is away")
    func others() async throws {
        // As large as the picture.
        try save([UInt8](repeating: 1, count: 1000), to: wall["other.jpg"])
        #expect(try days() == [])
        try wall.link("orion", to: Wall.orionLink)
        rename(wall.folder, wall.shelf["aside"])
        #expect(try days() == [])
    }
}
