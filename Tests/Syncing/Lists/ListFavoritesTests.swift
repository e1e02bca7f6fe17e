import Apod
import Archive
import Catalog
import Configuration
import Files
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

@testable import Favorites

private typealias Item = ListFixture.Served.Item

struct ListFavoritesTests {
    private let fixture: ListFixture
    private let favorites: String
    private static let galaxy = "2026/2026-11-14 A spiral"

    init() async throws {
        fixture = try ListFixture([
            Item("Mittens", id: "7", seed: 2), Item("Tiger", seed: 3), Item("A spiral", date: "2026-11-14", seed: 4),
        ])
        fixture.served.update { $0.cover = .media(Pictures.jpeg(seed: 9), type: "image/jpeg") }
        fixture.list.cover = WebAddress("\(fixture.server.origin)/cover.jpg")
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
        get throws { try log.favorites.map { "\($0.subject) \($0.subject.id ?? "-"): \($0.links)" } }
    }

    private func json() throws -> JSONText { try JSONText(contents(fixture.testMirror["favorites.json"])) }

    @Test(
        "List favorites come with a link however it is made, and leave it as the mirror writes it",
        arguments: [
            ("../lists/cats/Mittens.jpg", "Mittens.jpg"), ("ROOT/lists/cats/Mittens.jpg", "Mittens.jpg"),
            ("/mnt/nas/apod/lists/cats/Mittens.jpg", "Mittens.jpg"), ("../lists/cats/Mittens.json", "Mittens.json"),
            ("/mnt/nas/apod/lists/cats/Mittens.json", "Mittens.json"), ("../lists//./cats/Mittens", "Mittens.jpg"),
            ("../lists/cats/cover.jpg", "cover.jpg"), ("../lists/cats/\(galaxy).jpg", "\(galaxy).jpg"),
            ("/nas/lists/cats/\(galaxy).jpg", "\(galaxy).jpg"), ("COPY", "Mittens.jpg"),
        ])
    func forms(target: String, file: String) async throws {
        let target = target.replacing("ROOT", with: fixture.testMirror.root)
            .replacing("COPY", with: try smallerCopy())
        try link("a", to: target)
        try await settle()
        let stem = String(file.prefix { $0 != "." })
        let id = ["Mittens": "7", "cover": ""][stem] ?? "A spiral"
        #expect(try known == ["lists/cats/\(stem) \(id): [a]"])
        #expect(TestSupport.target(of: "\(favorites)/a") == "../lists/cats/\(file)")
        let favorite = try #require(try json().elements?.first)
        #expect(favorite["list"]?.string == "cats" && favorite["id"]?.string == id && favorite["date"] == nil)
        #expect(favorite["picture"]?.string == "lists/cats/\(stem).jpg")
    }

    /// Puts one of Mittens into the gallery, and returns its path.
    private func smallerCopy() throws -> String {
        let path = GallerySize.large.path(of: Subject("lists/cats/Mittens")!.day, in: fixture.list.name)
        _ = try Tree.makeFolder("gallery/lists/cats", in: Folder.open(fixture.testMirror.root))
        try save("small", to: fixture.testMirror[path])
        return fixture.testMirror[path]
    }

    @Test(
        "List favorites stay and come where nothing of their list is left, by what the history says"
    )
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
            #expect(keeper.noteNewDays([Subject("lists/cats/Tom")!.day]))
            _ = try keeper.settle()
        }
        #expect(try known == ["lists/cats/Tom Tom: [a]"])
    }

    private func restore(_ order: FavoritesOrder) async throws {
        try await fixture.testMirror.mirror { mirror in
            let editor = try FavoritesEditor(
                root: mirror.settings.root, catalog: mirror.archive.catalog, favorites: mirror.archive.favorites)
            for link in editor.missing(order) { _ = try editor.restore(link) }
        }
    }

    @Test(
        "List favorites are not deleted by `keep`, unseen or ended lately, and come back"
    )
    func keep() async throws {
        try link("a", to: "../lists/cats/Mittens.jpg")
        try await settle()
        unlink("\(favorites)/a")
        try await settle()
        try link("b", to: "../lists/cats/Tiger.jpg")
        fixture.list.keep = 1
        fixture.testMirror.settings.lists = [fixture.list]
        #expect(try await fixture.testMirror.mirror { try $0.range.pruning() }.isEmpty)
        try await fixture.refresh()
        #expect(fixture.pictures == ["\(Self.galaxy).jpg", "Mittens.jpg", "Tiger.jpg", "cover.jpg"])
        unlink("\(favorites)/b")
        #expect(try await fixture.refresh().contains { $0.contains("deleted 1 picture") })
        #expect(fixture.pictures == ["\(Self.galaxy).jpg", "Mittens.jpg", "cover.jpg"])
        try link("b", to: "../lists/cats/Tiger.jpg")
        try await settle()
        try await fixture.refresh()
        #expect(fixture.pictures.contains("Tiger.jpg"))
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
        try save(Array(Self.foreign.utf8), to: list)
        if !isHere { try removeList() }
        try await restore(FavoritesOrder(.restore, []))
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
        #expect(try log.ended.isEmpty && json().elements?.first?["added"]?.string == "2020-01-01T00:00:00Z")
    }
}
