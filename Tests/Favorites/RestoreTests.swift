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
    private let wall: Wall
    private static let json = "2026/11/2026-11-20 Orion Rising.json"
    private let clock = TestClock()

    /// Two links to one day, to its picture and its JSON, one of them in an album in an album; and two to others.
    init() async throws {
        wall = try await Wall(settleDelay: .seconds(2), clock: clock)
        try wall.album("a")
        try wall.album("a/b")
        for (place, target) in zip(Self.places, Self.targets) { try wall.link(place, to: target) }
        try wall.lookAndRest()
    }

    private static let places = ["a/b/facts", "a/clouds", "picture", "wish"]
    private static let targets = [
        "../../../\(json)", "../../\(Wall.cloudsFile)", Wall.orionLink, "2019-04-10",
    ]
    private static let all = ["2019-04-10: wish", "2026-09-13: a/clouds", "2026-11-20: picture, a/b/facts"]

    private var targets: [String?] { Self.places.map(wall.target) }

    /// And the service has seen it.
    private func takeAway(_ name: String) throws {
        try wall.remove(name)
        try wall.lookAndRest(at: name)
    }

    private func removeAll() throws {
        for place in Self.places { try wall.remove(place) }
        rmdir(wall["a/b"])
        rmdir(wall["a"])
        try wall.lookAndRest()
        #expect(try wall.days == [])
    }

    @Test("lead where they led, from the same albums by the same names, and have the same dates")
    func asTheyWere() async throws {
        let before = try wall.log.favorites.map(\.added)
        clock.advance(by: .seconds(5000))
        try removeAll()
        #expect(try wall.restore(.known) == [])
        #expect(try wall.restore(.since(clock.seconds - 10)).sorted() == Self.places)
        #expect(targets == Self.targets)
        #expect(try wall.favorites == Self.all && wall.log.favorites.map(\.added) == before)
        #expect(try wall.restore(.since(0)) == [])
        #expect(targets == Self.targets)
    }

    @Test(
        "are those of a lost folder without being asked for one by one", arguments: [true, false],
        [Restoration.known, .days([Wall.orion])])
    func lost(restarts: Bool, restoration: Restoration) async throws {
        try takeAway("wish")
        try await wall.shell("rm -r \"$ROOT/favorites\"")
        if restarts { try await wall.restart() }
        try wall.lookAndRest()
        #expect(try wall.restore(restoration).sorted() == Self.places.dropLast())
        try wall.rest()
        #expect(try wall.favorites == Array(Self.all.dropFirst()))
        #expect(try wall.log.known.removedLinks().count == 1)
    }

    @Test("are not tried by other names where none can be made", .enabled(if: ImmutableFolder.canBeMade))
    func refused() async throws {
        let wall = try await Wall()
        let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog, favorites: wall.log)
        let immutable = try ImmutableFolder(wall.folder)
        defer { withExtendedLifetime(immutable) {} }
        var tried = 0
        let link = Link("mine", to: Wall.orion)
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
        try removeAll()
        let before = umask(mask)
        defer { umask(before) }
        #expect(try wall.restore(.since(0)).sorted() == Self.places)
        for album in ["a", "a/b"] { #expect(Facts(wall[album])?.permissions == UInt32(0o2775)) }
    }

    @Test("lead where they led, and have the same dates, when the catalog was lost meanwhile")
    func rebuilt() async throws {
        let before = try wall.log.favorites.map(\.added)
        clock.advance(by: .seconds(1000))
        try removeAll()
        try await wall.forgetEverything()
        try wall.look()
        #expect(try wall.days == [])
        #expect(try wall.restore(.days([Wall.orion])).sorted() == ["a/b/facts", "picture"])
        #expect(try wall.restore(.since(clock.seconds - 10)).sorted() == ["a/clouds", "wish"])
        #expect(targets == Self.targets)
        #expect(try wall.log.favorites.map(\.added) == before)
    }

    @Test("get a number where something else has their name, however long that is", arguments: [20, 240, 245, 251])
    func taken(length: Int) async throws {
        let name = String(repeating: "x", count: length - 4) + ".jpg"
        try wall.link(name, to: Wall.orionLink)
        try wall.lookAndRest()
        try takeAway(name)
        try wall.link(name, to: "/etc/passwd")
        try wall.look(at: name)
        let new = "2 \(name.suffix(240))"
        #expect(try wall.restore(.days([Wall.orion])) == [new])
        #expect(wall.target(name) == "/etc/passwd" && wall.target(new) == Wall.orionLink)
        #expect(try wall.restore(.days([Wall.orion])) == [])
    }

    @Test("are all of a day, whenever they went")
    func ofDay() async throws {
        try takeAway("a/b/facts")
        clock.advance(by: .seconds(1000))
        let (root, catalog, log) = (wall.root, try wall.catalog, try wall.log)
        try wall.reconciler.carryOut { () throws(StorageError) in
            Set(try FavoritesEditor(root: root, catalog: catalog, favorites: log).remove(Wall.orion, found: []))
        }
        // What somebody asked for counts at once.
        #expect(try wall.days == ["2019-04-10", "2026-09-13"])
        #expect(try wall.restore(.days([Wall.orion])).sorted() == ["a/b/facts", "picture"])
        #expect(targets == Self.targets)
        #expect(try wall.restore(.days([Wall.orion])) == [])
    }

    @Test("are of a day's last ones only, where the end of its favorite is undone")
    func undone() async throws {
        try takeAway("a/b/facts")
        clock.advance(by: .seconds(1000))
        #expect(try wall.restore(.lastOf([Wall.clouds])) == [])
        for name in ["a/clouds", "picture"] { try takeAway(name) }
        #expect(try wall.days == ["2019-04-10"])
        #expect(try wall.restore(.lastOf([Wall.orion])) == ["picture"])
        #expect(try wall.days == ["2019-04-10", "2026-11-20"])
    }

    @Test("are those that were seen to go one second after another, where the end of a favorite is undone")
    func together() throws {
        for name in ["a/b/facts", "picture"] {
            try wall.remove(name)
            try wall.look(at: name)
            clock.advance(by: .seconds(1))
        }
        try wall.rest()
        #expect(try wall.restore(.lastOf([Wall.orion])).sorted() == ["a/b/facts", "picture"])
    }

    /// Of two threads that write the list, none may replace it by an older one.
    @Test("are in the list, also while it is written for something else")
    func atOnce() async throws {
        let (root, catalog, log, reconciler) = (wall.root, try wall.catalog, try wall.log, wall.reconciler!)
        try await withThrowingTaskGroup { group in
            for day in [Wall.orion, Wall.clouds] {
                group.addTask {
                    for _ in 0..<100 {
                        try reconciler.carryOut { () throws(StorageError) in
                            let editor = try FavoritesEditor(root: root, catalog: catalog, favorites: log)
                            let made = editor.missing(.days([day]))
                            if made.isEmpty { return Set(try editor.remove(day, found: [])) }
                            for link in made { _ = try editor.restore(link) }
                            return Set(made.map(\.place))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let list = try contents("\(root)/favorites.json")
        try save([], to: "\(root)/favorites.json")
        try FavoritesFile(wall.shelf.archive()).write()
        #expect(try contents("\(root)/favorites.json") == list)
    }

    @Test(
        "are where they were last, if they were moved before they went; nothing comes back of what was only moved",
        arguments: [
            (["mv a c", "rm -r c"], ["c/b/facts", "c/clouds"]),
            (["mv a c", "mv c d", "rm -r d"], ["d/b/facts", "d/clouds"]),
            (["mv picture p", "rm p"], ["p"]), (["mv a c"], []), (["mv a c", "mv c a"], []),
        ], [false, true])
    func moved(what: (scripts: [String], back: [String]), rests: Bool) async throws {
        for script in what.scripts {
            try await wall.shell(script)
            try wall.look()
            clock.advance(by: .milliseconds(400))
        }
        if rests { try wall.rest() }
        #expect(try wall.restore(.since(0)).sorted() == what.back)
        try wall.rest()
        #expect(try wall.log.known.removedLinks().isEmpty && wall.log.favorites.count == 3)
    }

    @Test("are not counted among those that went, when others go soon after")
    func loss() throws {
        for _ in 1...2 {
            try removeAll()
            #expect(wall.reconciler.takeLoss()?.links == 4)
            #expect(try wall.restore(.since(0)).count == 4)
            #expect(wall.reconciler.takeLoss() == nil)
        }
        try takeAway("wish")
        #expect(wall.reconciler.takeLoss() == nil)
    }

    @Test("are those that went since a moment")
    func since() async throws {
        try takeAway("wish")
        clock.advance(by: .seconds(1000))
        let moment = clock.seconds
        try takeAway("picture")
        #expect(try wall.restore(.since(clock.seconds + 1)) == [])
        #expect(try wall.restore(.since(moment)) == ["picture"])
        #expect(try wall.restore(.since(moment)) == [])
        #expect(try wall.restore(.since(moment - 1002)) == ["wish"])
    }
}
