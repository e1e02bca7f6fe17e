import Apod
import Configuration
import Files
import Glibc
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

@testable import Favorites

private typealias Item = ListFixture.Served.Item

struct ListFavoritesTests {
    private let fixture: ListFixture
    private let favorites: String

    init() async throws {
        fixture = try ListFixture([Item("Mittens", id: "7"), Item("Tiger")])
        favorites = fixture.testMirror["favorites"]
        try await fixture.refresh()
        mkdir(favorites, 0o755)
    }

    private func link(_ name: String, to target: String) throws {
        guard symlink(target, "\(favorites)/\(name)") == 0 else { throw SystemError("symlink \(name)") }
    }

    /// As when the folder is looked at, and nothing changes for a while.
    private func settle() async throws {
        try await fixture.testMirror.mirror { mirror in
            let keeper = Keeper(mirror.archive, settleDelay: .zero, clock: { mirror.moment })
            try keeper.look(.everywhere)
            for _ in 0..<3 where try keeper.settle() == nil { break }
        }
    }

    private var log: FavoritesLog {
        get throws { try FavoritesLog(toRead: Folder.open(fixture.testMirror.root)) }
    }

    /// `lists/cats/Mittens 7: a, b`
    private var known: [String] {
        get throws { try log.favorites.map { "\($0.key) \($0.id ?? "-"): \($0.links)" } }
    }

    @Test("List favorites stay and come where nothing of their list is left, by what the history says")
    func lost() async throws {
        try link("a", to: "../lists/cats/Mittens.jpg")
        try await settle()
        try removeList()
        try link("b", to: "/nas/lists/cats/Mittens.jpg")
        try link("c", to: "/nas/lists/cats/Tiger.jpg")
        try await settle()
        #expect(try known == ["lists/cats/Mittens 7: [a, b]"])
    }

    @Test("List favorites come with a link that waits for a picture, as soon as that comes")
    func early() async throws {
        try link("a", to: "/nas/lists/cats/Tom.jpg")
        try await fixture.testMirror.mirror { mirror in
            let keeper = Keeper(mirror.archive, settleDelay: .zero, clock: { mirror.moment })
            try keeper.look(.everywhere)
            let before = try known
            #expect(before == [])
            fixture.served.update { $0.items.append(Item("Tom", seed: 5)) }
            try await ListRound(mirror, for: SyncOrder()).refresh([fixture.list])
            #expect(keeper.noteNew([Key("lists/cats/Tom")!]))
            _ = try keeper.settle()
        }
        #expect(try known == ["lists/cats/Tom Tom: [a]"])
    }

    /// What another mirror says, which calls Mittens otherwise.
    private static let foreign = """
        [{"list": "cats", "id": "7", "name": "Mittens (2)", "title": "Mittens", "picture": "lists/cats/Mittens (2).jpg", \
        "links": ["Pets/m.jpg", "n"], "albums": ["Pets"], "added": "2020-01-01T00:00:00Z"}]

        """

    private func removeList() throws {
        try #require(rename(fixture.root, "\(fixture.testMirror.root)/aside") == 0)
        let catalog = fixture.testMirror[".apod-mirror/lists/cats"]
        try #require(rename(catalog, fixture.testMirror[".apod-mirror/aside"]) == 0)
    }

    @Test(
        "List favorites come back from the list of another mirror, which calls them otherwise",
        arguments: [true, false])
    func foreign(isHere: Bool) async throws {
        let list = fixture.testMirror["favorites.json"]
        unlink(fixture.testMirror[".apod-mirror/history"])
        try save(Self.foreign.bytes, to: list)
        if !isHere { try removeList() }
        try await fixture.testMirror.mirror { mirror in
            let editor = try FavoritesEditor(
                root: mirror.settings.root, catalog: mirror.archive.catalog, favorites: mirror.archive.favorites)
            for link in editor.missing(FavoritesOrder(.restore, [])) { _ = try editor.restore(link) }
        }
        if isHere {
            #expect(TestSupport.target(of: "\(favorites)/n") == "../lists/cats/Mittens.jpg")
        } else {
            #expect(TestSupport.target(of: "\(favorites)/n") == "../lists/cats/Mittens (2).jpg")
            try await settle()
            #expect(try known == ["lists/cats/Mittens (2) 7: [n, Pets/m.jpg]"])
            try await fixture.refresh()
        }
        try await settle()
        try await settle()
        #expect(TestSupport.target(of: "\(favorites)/Pets/m.jpg") == "../../lists/cats/Mittens.jpg")
        #expect(try known == ["lists/cats/Mittens 7: [n, Pets/m.jpg]"])
        let favorite = try JSONText(contents(fixture.testMirror["favorites.json"])).elements?.first
        #expect(try log.ended.isEmpty && favorite?["added"]?.string == "2020-01-01T00:00:00Z")
    }
}
