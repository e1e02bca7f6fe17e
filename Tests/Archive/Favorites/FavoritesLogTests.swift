import Apod
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive

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
    private var present: [Link] { log.known.links(to: log.known.days).map(\.link) }

    private func end(_ links: [Link], at moment: Int) throws {
        try log.append(links.map { HistoryLine(.went, $0, at: moment) })
    }

    @Test(
        "The history of the favorites tells where links are, since when, and what they were: what comes back within a year keeps its date"
    )
    func dates() throws {
        let one = link("a", to: orion, file: "x.jpg")
        for (ended, returned, since) in [(200, 300, 100), (400, 400 + Self.year, 400 + Self.year)] {
            try log.favor([one], at: ended == 200 ? 100 : 350)
            try end([one], at: ended)
            #expect(days.isEmpty && present.isEmpty && log.known.isEmpty)
            let former = try #require(log.ended.first)
            #expect(former.added == 100 && former.ended == ended && former.removed == [RemovedLink(one, went: ended)])
            try log.favor([one], at: returned)
            #expect(log.known.favorite(orion)?.added == since)
            #expect(log.ended.isEmpty && log.known.removedLinks().isEmpty)
            #expect(log.links(at: one.place) == [KnownLink(one, isLink: true, came: returned)])
        }
    }

    @Test(
        "The history of the favorites tells of very many favorites, and of those that ended, with their titles and pictures"
    )
    func many() async throws {
        try await fixture.add(orion, "Orion Rising")
        let days = (0..<1100).map { orion.advanced(by: -$0) }
        // A link to the day's picture needs no name of its own in the list.
        func picture(of day: Day) -> String? { day == orion ? "2026-11-20 Orion Rising.jpg" : nil }
        let albums = days.flatMap {
            [link("b/\($0)", to: $0, file: "y.jpg"), link("a/\($0)", to: $0, file: picture(of: $0))]
        }
        try log.favor(albums, at: 5)
        let ended = Set(days.enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
        try end(albums.filter { ended.contains($0.day) }, at: 9)
        let kept = Set(days).subtracting(ended)
        #expect(log.known.days == kept && log.known.ended.days == ended)
        let favorites = try log.favorites(fixture.openCatalog)
        #expect(favorites.map(\.day) == kept.sorted() && log.ended.map(\.day) == ended.sorted())
        #expect(
            (favorites + log.ended).allSatisfy { favorite in
                let places = favorite.links + favorite.removed.map(\.link.place)
                return places == ["a/\(favorite.day)", "b/\(favorite.day)"]
            })
        #expect(favorites.last?.title == "Orion Rising")
        #expect(favorites.last?.picture == "2026/11/2026-11-20 Orion Rising.jpg")
        #expect(favorites.dropLast().allSatisfy { $0.title == nil && $0.picture == nil })
        #expect(favorites.allSatisfy { $0.files == ["b/\($0.day)": "y.jpg"] })
    }

    @Test("The history of the favorites tells which links went since a moment, and which went together")
    func went() throws {
        let links = (0..<9).map { link("a/\($0)", to: orion) }
        try log.favor(links, at: 5)
        for (index, moment) in [100, 500, 520, 580, 640].enumerated() { try end([links[index]], at: moment) }
        #expect(log.known.removedLinks(since: 520).map(\.went) == [520, 580, 640])
        #expect(log.known.removedLinks().map(\.link) == Array(links[..<5]))
        #expect(present.count == 4 && log.ended.isEmpty)
        let week = 7 * 86_400
        #expect(log.known.loss(at: week) == LinkLoss(links: 4, since: 500))
        #expect(log.known.loss(at: 501 + week) == nil)
        // One is back.
        try log.favor([links[2]], at: 700)
        #expect(log.known.loss(at: week) == nil)
    }

    @Test(
        "The history of the favorites tells of a link that was moved since when it is there, in place of what went from the new place before"
    )
    func moved() throws {
        let (old, new) = (link("a/x", to: orion, file: "x.jpg"), link("b/x", to: orion, file: "y.jpg"))
        try log.favor([old, new], at: 1)
        try end([new], at: 2)
        try log.append([HistoryLine(.moved, new, at: 7, from: old.place)])
        #expect(present == [new] && log.known.removedLinks().isEmpty)
        #expect(log.links(at: new.place).map(\.came) == [1])
        #expect(log.known.favorite(orion)?.added == 1 && Set(log.known.places.map(\.album)) == ["b"])
    }

    @Test(
        "The history of the favorites forgets links a year after they went, by a clock that is believed as far as there are days",
        arguments: [0, 400])
    func forgotten(ahead: Int) async throws {
        try await fixture.add(orion)
        let now = orion.noon
        for (day, age) in [(clouds, Self.year + 4 * 86_400), (orion, Self.year - 4 * 86_400)] {
            try log.favor([day], at: 1)
            try log.unfavor([day], at: now - age)
        }
        try log.forget(before: fixture.openCatalog.believed(now + ahead * 86_400) - KnownFavorites.memory)
        #expect(log.known.removedLinks().map(\.link.day) == [orion])
        #expect(log.ended.map(\.day) == [orion])
    }

    @Test("The history of the favorites protects a favorite, and one that ended within ninety days")
    func protection() throws {
        try log.favor([orion, clouds], at: 5)
        try log.unfavor([clouds], at: 100)
        for (now, isProtected) in [(100 + KnownFavorites.grace - 1, true), (100 + KnownFavorites.grace, false)] {
            #expect(log.known.isProtected(clouds, at: now) == isProtected)
            #expect(log.known.isProtected(orion, at: now) && !log.known.isProtected(november(7), at: now))
            #expect(log.known.protected(at: now) == (isProtected ? [orion, clouds] : [orion]))
        }
    }

    /// Links come, go and are moved in any order; between them, the log is opened anew, and cut off at any byte of its last
    /// line, as a kill does. What it says is what a plain list of the links says.
    @Test(
        "The history of the favorites says the same when it is read again, whatever happened and wherever it was cut off",
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
                try log.append([HistoryLine(.came, link, at: moment, was: "/mnt/\(moment)")])
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
                let last = try contents(path).dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
                truncate(path, Int.random(in: last..<size, using: &dice))
                expected = before
                log = try FavoritesLog(fixture.archive().tree, at: 0)
            default: log = try FavoritesLog(fixture.archive().tree, at: 0)
            }
            let read = try FavoritesLog(toRead: Folder.open(fixture.root))
            for known in [log.known, read.known] {
                let links = known.links(to: known.days)
                #expect(links.map(\.link) == expected.keys.sorted { ($0.day, $0.place) < ($1.day, $1.place) })
                #expect(links.allSatisfy { $0.came == expected[$0.link] })
                #expect(known.isEmpty == expected.isEmpty && Set(known.places) == Set(expected.keys.map(\.place)))
                #expect(known.removedLinks().allSatisfy { expected[$0.link] == nil })
            }
        }
    }

    @Test(
        "The history of the favorites says nothing of lines that could not be written, and those that come then stand on lines of their own",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func full() throws {
        let disk = try Disk("tmpfs", "size=64k")
        let tree = try Tree("\(disk.path)/APOD")
        let log = try FavoritesLog(tree, at: 0)
        let path = "\(disk.path)/APOD/.apod-mirror/history"
        try log.favor([orion], at: 1)
        let before = try contents(path)
        #expect(throws: Problem.self) {
            try log.favor((1...2000).map { link("\($0)", to: clouds) }, at: 2)
        }
        #expect(try log.known.days == [orion] && contents(path) == before)
        try log.favor([november(7)], at: 3)
        #expect(try FavoritesLog.lines(in: tree.root).map(\.link.day) == [orion, november(7)])
    }

    @Test("The history of the favorites says what a shorter one says that was put in its place, and that it was")
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
        #expect(try FavoritesLog.lines(in: Folder.open(fixture.root)).map(\.link.day) == [november(7)])
    }

    /// What a history of 300,000 lines may be made of.
    private static let crowds: [(name: String, place: @Sendable (Int) -> String)] = [
        ("many days", { "\($0)" }), ("one day", { "\($0)" }), ("one link", { _ in "a" }),
    ]

    @Test(
        "The history of the favorites is read with lines that are there twice, junk, and zeros behind the last",
        arguments: crowds.indices)
    func long(index: Int) throws {
        let (name, place) = Self.crowds[index]
        var lines: [String] = []
        for number in 0..<2_000 {
            let day = name == "one day" ? orion : orion.advanced(by: -number % 1_000)
            let link = #""date":"\#(day)","link":"\#(place(number))"}"#
            let came = #"{"time":"2026-11-20T05:05:00Z","change":"came",\#(link)"#
            lines += [came, came, #"{"time":"2026-11-20T05:06:00Z","change":"went",\#(link)"#, "junk \(number)"]
        }
        try save(Array((lines.joined(separator: "\n") + "\n{\"time\":").utf8), to: path)
        truncate(path, try contents(path).count + 50_000_000)
        let read = try FavoritesLog(toRead: Folder.open(fixture.root)).known
        #expect(read.isEmpty && read.removedLinks().count == (name == "one link" ? 1_000 : 2_000))
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

    @Test("The history of the favorites begins with what favorites.json says, and does not ask it again")
    func begins() async throws {
        var log = try await imported(Self.list)
        let favorite = try #require(log.known.favorite(orion))
        #expect(favorite.added == Time.seconds("2026-11-20T05:05:00Z"))
        #expect(favorite.links == ["a", "Comets/b"] && favorite.files == ["a": "x.jpg"])
        #expect(favorite.removed.map { "\($0.link.place) \(Time.text($0.went))" } == ["c 2026-11-21T05:05:00Z"])
        #expect(log.known.isFavorite(november(19)))
        #expect(log.ended.map { "\($0.day) \(Time.text($0.ended!))" } == ["2026-11-01 2026-11-03T05:05:00Z"])
        try log.unfavor([november(19)], at: 80)
        try await fixture.close()
        log = try fixture.favorites
        #expect(log.known.days == [orion])
    }

    @Test(
        "The history of the favorites takes over no file that is none of a day's, and nothing from a list that is somebody else's"
    )
    func hostile() async throws {
        let log = try await imported(
            """
            [{"date": "2026-11-20", "links": ["a", "../../b"], "files": {"a": "../../../etc/passwd"},
            "removed": [{"link": "c", "time": "2026-11-20T05:05:00Z", "file": "../../../etc/passwd"}]}, 7, {}]
            """)
        #expect(log.known.links(to: log.known.days).map(\.link) == [link("a", to: orion)])
        #expect(log.known.removedLinks().map(\.link) == [link("c", to: orion)])
        try await fixture.close()
        unlink(path)
        let other = fixture.folder.appending("other.json")
        try save(Self.list, to: other)
        unlink(fixture["favorites.json"])
        #expect(symlink(other, fixture["favorites.json"]) == 0)
        #expect(try fixture.favorites.known.isEmpty)
    }

    @Test("The history of the favorites is not opened where favorites.json has to be read, and cannot be")
    func tooLarge() async throws {
        try await fixture.close()
        unlink(path)
        try save([], to: fixture["favorites.json"])
        truncate(fixture["favorites.json"], 300 << 20)
        #expect(throws: Problem.self) { try fixture.archive() }
    }
}
