import Apod
import Archive
import Catalog
import Concurrency
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

@Suite("The list of favorites, when some have ended")
struct EndedTests {
    /// Its own items, and how each stands.
    private func items(_ wall: Wall) throws -> [String] {
        try #require(try JSONText(contents("\(wall.root)/favorites.json")).elements).map { item in
            let links = item["links"]?.elements?.count ?? -1
            return "\(item["date"]?.string ?? "") \(links)\(item["ended"]?.string == nil ? "" : " ended")"
        }
    }

    private func wall() async throws -> Wall {
        let wall = try await Wall()
        try wall.link("orion", to: "../\(Wall.orionFile)")
        try wall.link("clouds", to: "../\(Wall.cloudsFile)")
        try wall.lookAndSettle()
        return wall
    }

    @Test(
        "has them behind the others, and a catalog that is made anew knows them from there", arguments: [true, false])
    func ended(forgotten: Bool) async throws {
        let wall = try await wall()
        try wall.remove("orion")
        if forgotten {
            // A folder that is another one loses nothing before that is confirmed.
            try wall.remove("clouds")
            try await wall.restart()
            try wall.lookAndSettle()
            #expect(try wall.days.count == 2)
            try wall.reconciler.carryOut { () throws(StorageError) in
                _ = try wall.reconciler.forget([Wall.orion])
            }
        } else {
            try wall.lookAndSettle()
        }
        let expected = ["2026-09-13 \(forgotten ? 0 : 1)", "2026-11-20 0 ended"]
        #expect(try items(wall) == expected)
        try await wall.forgetEverything()
        #expect(try wall.days == ["2026-09-13"])
        try wall.lookAndSettle()
        #expect(try items(wall) == expected)
        #expect(try wall.days == ["2026-09-13"])
        #expect(try wall.catalog.ended(after: nil, atMost: 9, at: time(nil)).map(\.day) == [Wall.orion])
        let outcome = try await wall.shelf.archive().prune([Wall.orion, Wall.clouds], at: time(nil))
        #expect(outcome.gone.isEmpty)
    }

    @Test("has none that ended long ago, from the next time on that it is written")
    func longAgo() async throws {
        let wall = try await wall()
        try wall.remove("orion")
        try wall.lookAndSettle()
        let later = time(nil) + Catalog.grace + 60
        try await wall.shelf.add(Day(utc: later))
        let list = FavoritesFile(tree: try wall.shelf.archive().tree, catalog: try wall.catalog, clock: { later })
        try list.write()
        #expect(try items(wall) == ["2026-09-13 1"])
    }

    @Test("begins anew when the only one has ended")
    func only() async throws {
        let wall = try await Wall()
        try wall.link("orion", to: "../\(Wall.orionFile)")
        try wall.lookAndSettle()
        try wall.remove("orion")
        try wall.lookAndSettle()
        #expect(try items(wall) == ["2026-11-20 0 ended"])
        try wall.link("orion", to: "../\(Wall.orionFile)")
        try wall.lookAndSettle()
        #expect(try items(wall) == ["2026-11-20 1"])
    }

    @Test("tells a catalog that is made anew of links that were taken away, with what they led to")
    func removed() async throws {
        let wall = try await wall()
        try wall.album("a")
        try wall.link("a/json", to: "../../2026/11/2026-11-20 Orion Rising.json")
        try wall.link("a/other", to: "../../\(Wall.cloudsFile)")
        try wall.lookAndSettle()
        try await wall.shell("rm a/json")
        try wall.lookAndSettle()
        try await wall.shell("rm orion a/other; rmdir a")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: clouds"])
        for _ in 0..<2 {
            try await wall.forgetEverything()
            try wall.lookAndSettle()
            #expect(try wall.favorites == ["2026-09-13: clouds"])
        }
        #expect(try wall.restore(.vanished) == [])
        #expect(try wall.restore(.since(time(nil) + 1)) == [])
        #expect(try wall.restore(.since(time(nil) - 3600)).sorted() == ["a/json", "a/other", "orion"])
        #expect(try wall.favorites == ["2026-09-13: clouds, a/other", "2026-11-20: orion, a/json"])
        #expect(wall.target("a/json") == "../../2026/11/2026-11-20 Orion Rising.json")
        let text = String(decoding: try contents("\(wall.root)/favorites.json"), as: UTF8.self)
        #expect(!text.contains("removed"))
    }

    @Test("has no links that were taken away long ago")
    func removedLongAgo() async throws {
        let wall = try await wall()
        try wall.link("other", to: "../\(Wall.orionFile)")
        try wall.lookAndSettle()
        try wall.remove("other")
        try wall.lookAndSettle()
        func text() throws -> String { String(decoding: try contents("\(wall.root)/favorites.json"), as: UTF8.self) }
        #expect(try text().contains("\"link\" : \"other\"") || text().contains("\"link\": \"other\""))
        let later = time(nil) + Catalog.grace + 60
        try FavoritesFile(tree: wall.shelf.archive().tree, catalog: wall.catalog, clock: { later }).write()
        #expect(try !text().contains("other"))
    }

    @Test(
        "is written in place of one, however that is set, and of nothing of somebody's",
        arguments: [
            ("[]", true), ("", true), (" [ {\n \"date\" : \"2026-11-20\", \"links\" : [\"x\"]}]", true),
            ("{\"mine\": []}", false),
            ("[\"date\"]", false), ("notes", false), ("[{\"name\": 1}]", false),
            // As NASA's answers begin.
            ("[{\"date\": \"2026-11-20\", \"explanation\": \"\"}]", false),
        ])
    func somebodys(text: String, isOwn: Bool) async throws {
        let wall = try await wall()
        let list = "\(wall.root)/favorites.json"
        #expect(FavoritesFile.occupied(in: try wall.shelf.archive().tree.root) == nil)
        try save(Array(text.utf8), to: list)
        let archive = try wall.shelf.archive()
        #expect(FavoritesFile.occupied(in: archive.tree.root) == (isOwn ? nil : "favorites.json"))
        try FavoritesFile(tree: archive.tree, catalog: archive.catalog, clock: { 0 }).write()
        let isReplaced = try contents(list) != Array(text.utf8)
        #expect(isReplaced == isOwn)
    }

    @Test("is not made as long as there has been none, and is empty when the last one is long over")
    func ofNone() async throws {
        let wall = try await Wall()
        let list = "\(wall.root)/favorites.json"
        func write(at moment: Int) throws {
            try FavoritesFile(tree: wall.shelf.archive().tree, catalog: wall.catalog, clock: { moment }).write()
        }
        try write(at: time(nil))
        #expect(access(list, F_OK) != 0)
        try wall.link("x", to: "../\(Wall.orionFile)")
        try wall.lookAndSettle()
        try wall.remove("x")
        try wall.lookAndSettle()
        // By a clock that is ahead, nothing has ended long ago as long as the newest day is young.
        try await wall.shelf.add(Day(utc: time(nil)).advanced(by: 40))
        try write(at: time(nil) + 40 * 86_400)
        #expect(try contents(list) == Array("[]\n".utf8))
    }

    @Test("is not read for it while another program writes it")
    func twoPrograms() async throws {
        let wall = try await wall()
        let archive = try wall.shelf.archive()
        let list = "\(wall.root)/favorites.json"
        #expect(unlink(list) == 0)
        let path = "\(wall.root)/.apod-mirror/favorites.json.lock"
        // Whoever waits for the lock has the file open, too.
        func holders() -> Int {
            (0..<1024).count { target(of: "/proc/self/fd/\($0)") == path }
        }
        let isDone = Awaited(false)
        var lock: File? = try archive.tree.own.locked("favorites.json.lock")
        startThread { [tree = archive.tree, catalog = archive.catalog] in
            _ = try? FavoritesFile(tree: tree, catalog: catalog, clock: { 0 }).write()
            isDone.update { $0 = true }
        }
        while holders() < 2, !isDone.value { try await sleep(for: .milliseconds(2)) }
        #expect(!isDone.value && access(list, F_OK) != 0)
        lock = nil
        _ = try await isDone.first { $0 }
        #expect(access(list, F_OK) == 0 && lock == nil)
    }
}
