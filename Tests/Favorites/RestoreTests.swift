import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

@Suite("Links that are made again")
struct RestoreTests {
    private static let json = "2026/11/2026-11-20 Orion Rising.json"
    private let clock = TestClock()

    /// Two links to one day, to its picture and its JSON, one of them in an album in an album; and two to the other.
    private func wall(adopts: Bool = true) async throws -> Wall {
        let wall = try await Wall(adopts: adopts, settleDelay: .seconds(2), clock: clock)
        try wall.album("a")
        try wall.album("a/b")
        try wall.link("a/b/facts", to: "../../../\(Self.json)")
        try wall.link("picture", to: "../\(Wall.orionFile)")
        try wall.link("a/clouds", to: "../../\(Wall.cloudsFile)")
        try wall.link("wish", to: "2019-04-10")
        try wall.look()
        try settleDelay(wall)
        return wall
    }

    private static let places = ["a/b/facts", "a/clouds", "picture", "wish"]
    private static let targets = [
        "../../../\(json)", "../../\(Wall.cloudsFile)", "../\(Wall.orionFile)", "2019-04-10",
    ]

    private func targets(_ wall: Wall) -> [String?] { Self.places.map(wall.target) }

    private func settleDelay(_ wall: Wall) throws {
        clock.advance(by: .seconds(2))
        _ = try wall.reconciler.settle()
    }

    /// And the service has seen it.
    private func takeAway(_ name: String, from wall: Wall) throws {
        try wall.remove(name)
        try wall.look(at: name)
        try settleDelay(wall)
    }

    private func removeAll(from wall: Wall) throws {
        for place in Self.places { try wall.remove(place) }
        rmdir("\(wall.folder)/a/b")
        rmdir("\(wall.folder)/a")
        try wall.look()
        try settleDelay(wall)
    }

    @Test("lead where they led, from the same albums by the same names", arguments: [true, false])
    func asTheyWere(adopts: Bool) async throws {
        let wall = try await wall(adopts: adopts)
        try removeAll(from: wall)
        #expect(try wall.catalog.favoritesSummary().vanished == 3)
        #expect(try wall.restore(.vanished).sorted() == Self.places)
        #expect(targets(wall) == Self.targets)
        try settleDelay(wall)
        #expect(try wall.favorites == ["2019-04-10: wish", "2026-09-13: a/clouds", "2026-11-20: picture, a/b/facts"])
        #expect(try wall.catalog.favoritesSummary().vanished == 0)
        #expect(try wall.restore(.vanished) == [])
        #expect(targets(wall) == Self.targets)
    }

    @Test("are there again by a name of theirs if they lead to the very file")
    func veryFile() async throws {
        let wall = try await Wall()
        try wall.link("2 x", to: "../\(Self.json)")
        try wall.lookAndSettle()
        let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
        func isRestored(_ name: String, _ suffix: String?) -> Bool {
            let file = suffix.map { "2026-11-20 Orion Rising.\($0)" }
            return editor.isRestored(Link(Place(path: Array(name.utf8))!, to: Wall.orion, file: file))
        }
        #expect(isRestored("x", "json") && isRestored("2 x", "json") && !isRestored("y", "json"))
        #expect(!isRestored("x", "jpg") && !isRestored("x", nil))
    }

    @Test("are not tried by other names where none can be made", .enabled(if: ImmutableFolder.canBeMade))
    func refused() async throws {
        let wall = try await Wall()
        let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
        let immutable = try ImmutableFolder(wall.folder)
        defer { withExtendedLifetime(immutable) {} }
        var tried = 0
        let link = Link(Place(path: Array("mine".utf8))!, to: Wall.orion)
        let error = #expect(throws: StorageError.self) {
            try editor.make(link) { _ in
                tried += 1
                return tried > 3
            }
        }
        #expect(error?.code == EPERM && tried == 0)
    }

    @Test("are in albums that are the group's too, where new folders are", arguments: [0o002, 0o022] as [mode_t])
    func albums(mask: mode_t) async throws {
        let wall = try await wall()
        try removeAll(from: wall)
        let before = umask(mask)
        defer { umask(before) }
        #expect(try wall.restore(.vanished).sorted() == Self.places)
        for album in ["a", "a/b"] { #expect(Facts("\(wall.folder)/\(album)")?.permissions == UInt32(0o777 & ~mask)) }
    }

    @Test("lead where they led when the catalog was lost meanwhile")
    func rebuilt() async throws {
        let wall = try await wall()
        try removeAll(from: wall)
        try wall.settle()
        try await wall.forgetEverything()
        try wall.look()
        #expect(try wall.restore(.vanished).sorted() == Self.places)
        #expect(targets(wall) == Self.targets)
    }

    @Test("get a number where something else has their name, however long that is", arguments: [20, 240, 245, 251])
    func taken(length: Int) async throws {
        let wall = try await wall()
        let name = String(repeating: "x", count: length - 4) + ".jpg"
        try wall.link(name, to: "../\(Wall.orionFile)")
        try wall.look()
        try settleDelay(wall)
        try takeAway(name, from: wall)
        try wall.link(name, to: "/etc/passwd")
        try wall.look(at: name)
        let new = "2 \(name.suffix(240))"
        #expect(try wall.restore(.days([Wall.orion])) == [new])
        #expect(wall.target(name) == "/etc/passwd" && wall.target(new) == "../\(Wall.orionFile)")
    }

    @Test("are of a day also when they were taken away long before the catalog was lost")
    func removedBefore() async throws {
        let wall = try await wall()
        try takeAway("a/clouds", from: wall)
        clock.advance(by: .seconds(1000))
        try wall.link("later", to: "2019-04-11")
        try wall.look()
        try settleDelay(wall)
        try await wall.forgetEverything()
        try wall.look()
        #expect(try wall.restore(.days([Wall.clouds])) == ["a/clouds"])
        #expect(targets(wall) == Self.targets)
    }

    @Test("are all of a day, whenever they went and whoever meant it")
    func ofDay() async throws {
        let wall = try await wall()
        try takeAway("a/b/facts", from: wall)
        clock.advance(by: .seconds(1000))
        let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
        try wall.reconciler.carryOut { () throws(StorageError) in
            _ = try editor.remove(Wall.orion, found: [], wall.reconciler.expectRemoval(of:))
        }
        #expect(try wall.days == ["2019-04-10", "2026-09-13"])
        #expect(try wall.restore(.vanished) == [])
        #expect(try wall.restore(.days([Wall.orion])).sorted() == ["a/b/facts", "picture"])
        #expect(targets(wall) == Self.targets)
        #expect(try wall.restore(.days([Wall.orion])) == [])
    }

    @Test("are all but one of several of which one was renamed")
    func besideRenamed() async throws {
        let wall = try await wall()
        try await wall.shell("mv picture new; rm a/b/facts")
        try wall.look()
        try settleDelay(wall)
        #expect(try wall.favorites.last == "2026-11-20: new")
        #expect(try wall.restore(.days([Wall.orion])).count == 1)
    }

    @Test("are those that went since a moment")
    func since() async throws {
        let wall = try await wall()
        try takeAway("wish", from: wall)
        clock.advance(by: .seconds(1000))
        let moment = clock.seconds
        try takeAway("picture", from: wall)
        #expect(try wall.restore(.since(clock.seconds + 1)) == [])
        #expect(try wall.restore(.since(moment)) == ["picture"])
        #expect(try wall.restore(.since(moment)) == [])
        #expect(try wall.restore(.since(moment - 1000)) == ["wish"])
    }

    @Test("come back after they were forgotten, by their day and by the time")
    func forgotten() async throws {
        let wall = try await wall()
        try removeAll(from: wall)
        #expect(try wall.reconciler.forget(nil).count == 3)
        #expect(try wall.restore(.vanished) == [])
        #expect(try wall.restore(.days([Wall.clouds])) == ["a/clouds"])
        #expect(try wall.restore(.since(clock.seconds - 100)).sorted() == ["a/b/facts", "picture", "wish"])
        #expect(targets(wall) == Self.targets)
    }

    @Test("leave alone what has their names now, and are made once")
    func taken() async throws {
        let wall = try await wall()
        try removeAll(from: wall)
        try save([1, 2, 3], to: "\(wall.folder)/picture")
        try wall.link("wish", to: "../\(Wall.cloudsFile)")
        let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
        let picture = try #require(try editor.missing(.vanished).first { "\($0.place)" == "picture" })
        #expect(try !editor.restore(picture).wasThere)
        #expect(try editor.restore(picture).wasThere)
        #expect(try wall.restore(.vanished).sorted() == ["2 wish", "a/b/facts", "a/clouds"])
        #expect(try contents("\(wall.folder)/picture") == [1, 2, 3])
        #expect(wall.target("wish") == "../\(Wall.cloudsFile)")
        #expect(wall.target("2 picture") == "../\(Wall.orionFile)")
        try settleDelay(wall)
        // They are not missed any more: taken away, they are gone.
        #expect(try wall.catalog.favorites().allSatisfy(\.vanished.isEmpty))
        #expect(try wall.restore(.since(0)) == [])
        try takeAway("2 wish", from: wall)
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
    }

    @Test("are not made where the same are, however these are written")
    func same() async throws {
        let wall = try await wall(adopts: false)
        try removeAll(from: wall)
        try wall.link("picture", to: "\(wall.root)/\(Wall.orionFile)")
        try wall.link("wish", to: "../2019/04/2019-04-10 Anything.jpg")
        #expect(try wall.restore(.vanished).sorted() == ["a/b/facts", "a/clouds"])
        #expect(wall.target("picture") == "\(wall.root)/\(Wall.orionFile)")
    }

    @Test("to the JSON are made beside one to the picture that has its name")
    func otherFile() async throws {
        let wall = try await wall()
        try wall.remove("a/b/facts")
        try wall.remove("picture")
        try wall.look()
        try settleDelay(wall)
        try wall.link("a/b/facts", to: "../../../\(Wall.orionFile)")
        try wall.look()
        #expect(try wall.restore(.days([Wall.orion])).sorted() == ["a/b/2 facts", "picture"])
        #expect(wall.target("a/b/2 facts") == Self.targets[0])
    }

    @Test("do not bring back the name that one had before it was renamed")
    func renamed() async throws {
        let wall = try await wall()
        rename("\(wall.folder)/picture", "\(wall.folder)/a/orion")
        try wall.look()
        try settleDelay(wall)
        #expect(try wall.restore(.since(0)) == [])
        try wall.remove("a/b/facts")
        try wall.remove("a/orion")
        try wall.look()
        try settleDelay(wall)
        #expect(try wall.restore(.since(0)).sorted() == ["a/b/facts", "a/orion"])
    }

    @Test("are not made for a copy that is there, though the picture has changed since")
    func copy() async throws {
        let wall = try await Wall(adopts: false)
        try save([UInt8](repeating: UInt8(Wall.clouds.number & 255), count: 2000), to: "\(wall.folder)/copy.jpg")
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-09-13"])
        try await wall.shelf.add(Wall.clouds, "Night Clouds", bytes: 3000)
        #expect(try wall.restore(.vanished) == [])
        #expect(try wall.restore(.days([Wall.clouds])) == [])
    }

    @Test("to a day whose links the list names get their names back, though the catalog was lost")
    func listed() async throws {
        let wall = try await wall()
        try await forget(wall)
        #expect(try wall.restore(.vanished) == [])
        #expect(try wall.restore(.days([Wall.orion])).sorted() == ["a/b/facts", "picture"])
    }

    /// The links to a day, and then the catalog, with the list as it is after a script.
    private func forget(_ wall: Wall, after script: String = "") async throws {
        try wall.remove("a/b/facts")
        try wall.remove("picture")
        try wall.look()
        try settleDelay(wall)
        try await wall.shell(script)
        try await wall.forgetEverything()
        try wall.look()
        try wall.settle()
    }

    @Test("to a day that only the history knows of get their usual name")
    func onlyHistory() async throws {
        let wall = try await wall()
        // As earlier versions of this program have made it.
        try await forget(wall, after: #"sed -zi 's/,[ \n]*"removed"[^]]*\]//g' $ROOT/favorites.json"#)
        #expect(try wall.restore(.vanished) == [])
        #expect(try wall.restore(.days([Wall.orion])) == ["2026-11-20 Orion Rising.jpg"])
        #expect(wall.target("2026-11-20 Orion Rising.jpg") == "../\(Wall.orionFile)")
    }

    @Test("stay vanished as long as nobody has seen them")
    func unseen() async throws {
        let wall = try await wall()
        try removeAll(from: wall)
        try wall.catalog.restore(wall.catalog.links(.vanished))
        #expect(try wall.catalog.favoritesSummary().vanished == 3)
    }

    @Test("are removed again, one by one, when that is meant")
    func meant() async throws {
        let wall = try await wall()
        try removeAll(from: wall)
        _ = try wall.restore(.vanished)
        try settleDelay(wall)
        try takeAway("wish", from: wall)
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
    }
}
