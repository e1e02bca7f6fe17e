import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Store

struct FavoritesLogTests {
    private let orion = november(20)
    private let clouds = november(1)
    private static let year = 365 * 86_400

    private func link(_ path: String, to day: Day, file: String? = nil) -> Link {
        Link(Place(stringLiteral: path), to: day, file: file)
    }

    private let fixture: ArchiveFixture
    private let log: FavoritesLog

    init() throws {
        fixture = try ArchiveFixture()
        log = try fixture.favorites
    }

    private var path: String { fixture[".apod-mirror/history"] }
    private var days: [Day] { log.known.days.sorted() }

    private func end(_ links: [Link], at moment: Int) throws {
        try log.append(links.map { HistoryLine(.went, $0, at: moment) })
    }

    @Test("A favorite that comes back within a year keeps its date; until then, it is known what was removed")
    func dates() throws {
        let one = link("a", to: orion, file: "x.jpg")
        for (ended, returned, since) in [(200, 300, 100), (400, 400 + Self.year, 400 + Self.year)] {
            try log.favor([one], at: ended == 200 ? 100 : 350)
            try end([one], at: ended)
            let former = try #require(log.ended.first)
            #expect(days.isEmpty && log.known.isEmpty && former.added == 100 && former.ended == ended)
            #expect(former.removed == [RemovedLink(one, went: ended)])
            try log.favor([one], at: returned)
            #expect(log.known.favorite(orion)?.added == since && log.ended.isEmpty)
            #expect(log.links(at: one.place) == [KnownLink(one, isLink: true, came: returned)])
        }
    }

    @Test("It is told which links went since a moment, and which went together, four at least")
    func went() throws {
        let links = (0..<9).map { link("a/\($0)", to: orion) }
        try log.favor(links, at: 5)
        for (index, moment) in [100, 500, 520, 580, 640].enumerated() { try end([links[index]], at: moment) }
        #expect(log.known.removedLinks(since: 520).map(\.went) == [520, 580, 640])
        #expect(log.known.removedLinks().map(\.link) == Array(links[..<5]) && log.ended.isEmpty)
        let week = 7 * 86_400
        #expect(log.known.loss(at: week) == LinkLoss(links: 4, since: 500) && log.known.loss(at: 501 + week) == nil)
        // One is back.
        try log.favor([links[2]], at: 700)
        #expect(log.known.loss(at: week) == nil)
    }

    @Test("Favorites are protected for ninety days after they ended, and their links forgotten after a year")
    func time() throws {
        try log.favor([orion, clouds], at: 5)
        try log.unfavor([clouds], at: 100)
        for (now, isProtected) in [(99 + KnownFavorites.grace, true), (100 + KnownFavorites.grace, false)] {
            #expect(log.known.isProtected(clouds, at: now) == isProtected)
            #expect(log.known.isProtected(orion, at: now) && !log.known.isProtected(november(7), at: now))
            #expect(log.known.protected(at: now).days == (isProtected ? [orion, clouds] : [orion]))
        }
        for (limit, days) in [(100, [clouds]), (101, [])] {
            log.forget(before: limit)
            #expect(log.known.removedLinks().map(\.link.day) == days && log.ended.map(\.day) == days)
        }
    }

    /// Links come, go and are moved in any order; between them, the log is opened anew, and cut off at any byte of its last
    /// line, as a kill does. What it says is what a plain list of the links says.
    @Test(
        "The history says the same when it is read again, whatever happened and wherever it was cut off",
        arguments: 0..<40)
    func walk(seed: Int) throws {
        var dice = Random(seed: UInt64(seed))
        var (log, expected) = (log, [Link: Int]())
        let days = [orion, clouds, november(7)]
        let places: [Place] = ["a", "b", "x/a", "x/y/ä"] + [Place(path: [0x78, 0xff, 0x25])!]
        for moment in 1_700_000_001...1_700_000_060 {
            let link = Link(places.randomElement(using: &dice)!, to: days.randomElement(using: &dice)!)
            let other = Link(places.randomElement(using: &dice)!, to: link.day)
            let before = expected
            switch Int.random(in: 0..<6, using: &dice) {
            case 0...2:
                try log.append([HistoryLine(.came, link, at: moment, isLink: false, was: "/mnt/\(moment)")])
                expected[link] = expected[link] ?? moment
            case 3:
                try log.append([HistoryLine(.went, link, at: moment)])
                expected[link] = nil
            case 4 where expected[other] != nil && other != link:
                try log.append([HistoryLine(.moved, link, at: moment, from: other.place)])
                expected[link] = expected[link] ?? expected[other]
                expected[other] = nil
            case 5:
                try #require(log.known.days == Set(expected.keys.map(\.day)))
                try log.append([HistoryLine(.came, link, at: moment)])
                // The line is cut off: what it said never was.
                let size = try contents(path).count
                let last = try contents(path).dropLast().lastIndex(of: "\n").map { $0 + 1 } ?? 0
                let end = Int.random(in: last..<size, using: &dice)
                truncate(path, end)
                // Without its end alone, it is whole.
                if end < size - 1 { expected = before } else { expected[link] = expected[link] ?? moment }
                log = try FavoritesLog(fixture.archive().tree, at: 0)
            default:
                if exists(path) { try save(contents(path) + "junk\n".bytes, to: path) }
                log = try FavoritesLog(fixture.archive().tree, at: 0)
            }
            let read = try FavoritesLog(toRead: Folder.open(fixture.root))
            #expect(read.known.links(to: read.known.keys) == log.known.links(to: log.known.keys))
            for known in [log.known, read.known] {
                let links = known.links(to: known.keys)
                #expect(links.map(\.link) == expected.keys.sorted { ($0.day, $0.place) < ($1.day, $1.place) })
                #expect(links.allSatisfy { $0.came == expected[$0.link] })
                #expect(known.isEmpty == expected.isEmpty && Set(known.places) == Set(expected.keys.map(\.place)))
                #expect(known.removedLinks().allSatisfy { expected[$0.link] == nil })
            }
        }
    }

    @Test(
        "The history has on the disk what was entered in it",
        .powerCuts)
    func powerCut() async throws {
        let disk = try await PowerDisk()
        let log = try ArchiveFixture(root: "\(disk.path)/APOD").favorites
        for (count, day) in [(1, orion), (2, clouds)] {
            try log.favor([day], at: 0)
            #expect(try FavoritesLog.lines(in: .open("\(try await disk.cut())/APOD")).count == count)
        }
    }

    @Test("Each line of an item has its id, also where an earlier line alone told it")
    func ids() throws {
        let cat = Link(Place(stringLiteral: "a"), to: Key("lists/cats/Tom")!)
        try log.append([HistoryLine(.came, cat, id: "7", at: 1)])
        try log.append([HistoryLine(.went, cat, at: 2)])
        #expect(try fileText(path).split(separator: "\n").allSatisfy { $0.contains(#""id":"7""#) })
    }

    @Test("The history's name is on the disk with its first line")
    func name() throws {
        let own = fixture[".apod-mirror"]
        Syncs.watch(own)
        try log.favor([orion], at: 1)
        #expect(Syncs.of(own).last?.contains("history") == true)
    }

    @Test("The history says what a shorter one says that was put in its place, and that it was")
    func putBack() async throws {
        try log.favor([orion], at: 1)
        let before = try contents(path)
        try log.favor([clouds], at: 2)
        #expect(try !log.wasReplaced())
        try save(before, to: path)
        #expect(try log.wasReplaced() && days == [orion] && !log.wasReplaced())
        try log.favor([clouds], at: 3)
        unlink(path)
        try log.favor([november(7)], at: 4)
        #expect(try log.wasReplaced() && days == [november(7)])
        #expect(try FavoritesLog.lines(in: Folder.open(fixture.root)).map(\.link.day) == days)
    }

    @Test(
        "The history is read again before a line is added to what somebody has written, and none of that is lost",
        arguments: ["longer", "as long", "torn"])
    func written(kind: String) throws {
        try log.favor([orion], at: 1)
        let before = try contents(path)
        let file = Facts(path)?.inode
        var theirs = before.text.replacing("2026-11-20", with: "2026-11-01").bytes
        if kind != "as long" { theirs += before + (kind == "torn" ? "{\"day".bytes : []) }
        // As `cp` writes: into the same file.
        try save(theirs, to: path)
        try #require(Facts(path)?.inode == file)
        // The clock of files ticks every few milliseconds.
        try File.reading(path).setModified(1)
        try log.favor([november(7)], at: 2)
        #expect(try log.wasReplaced() && contents(path).starts(with: theirs))
        let expected = [clouds, november(7)] + (kind == "as long" ? [] : [orion])
        #expect(days == expected.sorted())
        #expect(try FavoritesLog(toRead: Folder.open(fixture.root)).known.days == log.known.days)
        try log.favor([november(8)], at: 3)
        #expect(try !log.wasReplaced() && log.known.days.contains(november(8)))
    }

    private func imported(_ list: String) async throws -> FavoritesLog {
        try await fixture.close()
        unlink(path)
        try save(list, to: fixture["favorites.json"])
        return try fixture.favorites
    }

    private static let list = """
        [{"date": "2026-11-20", "links": ["a", "Comets/b"], "added": "2026-11-20T05:05:00Z", "files": {"a": "x.jpg"},
          "removed": [{"link": "c", "time": "2026-11-21T05:05:00Z", "file": "x.jpg"}]},
         {"date": "2026-11-19", "links": ["mine"]},
         {"date": "2026-11-01", "links": [], "added": "2026-11-02T05:05:00Z", "ended": "2026-11-03T05:05:00Z",
          "removed": [{"link": "d", "time": "2026-11-03T05:05:00Z"}]}]
        """

    @Test("The history begins with what favorites.json says, and does not ask it again")
    func begins() async throws {
        var log = try await imported(Self.list)
        let favorite = try #require(log.known.favorite(orion))
        #expect(favorite.added == Time.seconds("2026-11-20T05:05:00Z"))
        #expect(favorite.links == ["a", "Comets/b"] && favorite.files == ["a": "x.jpg"])
        #expect(favorite.removed.map { "\($0.link.place) \(Time.text($0.went))" } == ["c 2026-11-21T05:05:00Z"])
        #expect(log.ended.map { "\($0.day) \(Time.text($0.ended!))" } == ["2026-11-01 2026-11-03T05:05:00Z"])
        #expect(log.known.isFavorite(november(19)))
        try log.unfavor([november(19)], at: 80)
        try await fixture.close()
        log = try fixture.favorites
        #expect(log.known.days == [orion])
    }

    @Test("The history takes over no file that is none of a day's, nor a list that is a link or cannot be read")
    func hostile() async throws {
        let log = try await imported(
            """
            [{"date": "2026-11-20", "links": ["a", "../../b"], "files": {"a": "../../../etc/passwd"},
            "removed": [{"link": "c", "time": "2026-11-20T05:05:00Z", "file": "../../../etc/passwd"}]}, 7, {}]
            """)
        #expect(log.known.links(to: log.known.keys).map(\.link) == [link("a", to: orion)])
        #expect(log.known.removedLinks().map(\.link) == [link("c", to: orion)])
        try await fixture.close()
        let other = fixture.folder.appending("other.json")
        for name in [path, fixture["favorites.json"]] { unlink(name) }
        try save(Self.list, to: other)
        symlink(other, fixture["favorites.json"])
        #expect(try fixture.favorites.known.isEmpty)
        try await fixture.close()
        rename(other, fixture["favorites.json"])
        truncate(fixture["favorites.json"], 300 << 20)
        #expect(throws: Problem.self) { try fixture.archive() }
    }
}
