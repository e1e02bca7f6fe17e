import Apod
import Archive
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

@Suite(.timeLimit(.minutes(10)))
struct SnapshotTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    private func days() throws -> [Day] {
        let archive = try fixture.mirror.archive()
        return try FavoritesSnapshot(at: archive.tree.root, archive.favorites, archive.catalog).subjects.days.sorted()
    }

    @Test(
        "A snapshot of the favorites folder has what leads to a day, is its picture or a copy of it, whether the history has it or not",
        arguments: [
            "ln -s \"$CLOUDS\" x", "mkdir -p a/b; ln -s \"$CLOUDS\" a/b/x", "ln \"$CLOUDS\" x", "cp \"$CLOUDS\" x.jpg",
        ])
    func there(script: String) async throws {
        try fixture.link("orion", to: FavoritesFixture.orionLink)
        #expect(try days() == [FavoritesFixture.orion])
        try await fixture.shell("CLOUDS='\(fixture.cloudsPath)'; \(script)")
        #expect(try days() == [FavoritesFixture.clouds, FavoritesFixture.orion])
        try fixture.look()
        #expect(try days() == [FavoritesFixture.clouds, FavoritesFixture.orion])
        try await fixture.shell("rm -r *")
        #expect(try days() == [])
    }

    @Test("A snapshot of the favorites folder has nothing of what is no favorite, and of a folder that is away")
    func others() async throws {
        // As large as the picture.
        try save([UInt8](repeating: 1, count: 1000), to: fixture["other.jpg"])
        #expect(try days() == [])
        try fixture.link("orion", to: FavoritesFixture.orionLink)
        rename(fixture.folder, fixture.mirror["aside"])
        #expect(try days() == [])
    }
}
