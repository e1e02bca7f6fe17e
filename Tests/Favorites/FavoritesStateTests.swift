import Apod
import Archive
import Catalog
import Files
import TestSupport
import Testing

@testable import Favorites

/// What is decided about the favorites folder; no disk is asked, and no history.
struct FavoritesStateTests {
    private static let (orion, clouds) = (Day("2026-11-20")!, Day("2026-09-13")!)
    private static let delay = Duration.seconds(2)
    private static let start = ContinuousClock.now

    private static func moment(_ seconds: Int) -> FavoritesState.Moment {
        .init(instant: start + .seconds(seconds), seconds: 1000 + seconds)
    }

    private static func link(_ path: String, _ day: Day = orion, _ file: String? = "x.jpg") -> Link {
        Link(Place(stringLiteral: path), to: day, file: file)
    }

    private static func known(_ path: String, _ day: Day = orion, _ file: String? = "x.jpg", isLink: Bool = true)
        -> KnownLink
    {
        KnownLink(link(path, day, file), isLink: isLink, came: 0)
    }

    private static func seen(_ finding: Sighting.Finding, isLink: Bool = false, isTidy: Bool = false) -> Sighting {
        let target = isLink ? LinkTarget(Array("../2026/11/2026-11-20 x.jpg".utf8)) : nil
        return Sighting(place: "a", target: target, isTidy: isTidy, finding: finding)
    }

    private struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let seen: Sighting
        var known: [KnownLink] = []
        var listed: UnrecognisedReason?
        var isHinted = true
        /// What comes of it.
        var came: [Link] = []
        var goes: [Link] = []
        var why: UnrecognisedReason??
        var isWork = false
    }

    private static let orionSeen = Sighting.Finding.day(orion, file: "x.jpg")
    private static let ownLink = seen(orionSeen, isLink: true, isTidy: true)
    private static let table = [
        Row(testDescription: "a link comes", seen: seen(orionSeen, isLink: true), came: [link("a")], isWork: true),
        Row(
            testDescription: "as the mirror makes it", seen: ownLink,
            came: [link("a")]),
        Row(testDescription: "it is there", seen: ownLink, known: [known("a")]),
        Row(
            testDescription: "it leads to another file", seen: ownLink,
            known: [known("a", orion, "y.jpg")], came: [link("a")]),
        Row(
            testDescription: "it leads to another day", seen: ownLink,
            known: [known("a", clouds)], came: [link("a")], goes: [link("a", clouds)]),
        Row(
            testDescription: "it led to that before, too", seen: ownLink,
            known: [known("a", clouds), known("a")], goes: [link("a", clouds)]),
        Row(
            testDescription: "a wish", seen: seen(.day(orion, file: nil), isLink: true), came: [link("a", orion, nil)],
            isWork: true),
        Row(testDescription: "nothing is there", seen: seen(.nothing), known: [known("a")], goes: [link("a")]),
        Row(testDescription: "a folder is there", seen: seen(.album), known: [known("a")], goes: [link("a")]),
        Row(
            testDescription: "nobody can tell", seen: seen(.unknown(StorageError("read", "a", code: 5))),
            known: [known("a")]),
        Row(
            testDescription: "something else is there", seen: seen(.unrecognised(.outside)), known: [known("a")],
            goes: [link("a")], why: .some(.outside)),
        Row(testDescription: "a stranger comes", seen: seen(.unrecognised(.outside)), why: .some(.outside)),
        Row(testDescription: "it is there", seen: seen(.unrecognised(.outside)), listed: .outside),
        Row(
            testDescription: "it becomes another", seen: seen(.unrecognised(.file)), listed: .outside,
            why: .some(.file)),
        Row(testDescription: "it goes", seen: seen(.nothing), listed: .outside, why: .some(nil)),
        Row(testDescription: "what a kill left", seen: seen(.leftover), isWork: true),
        Row(testDescription: "what may be a copy comes", seen: seen(.copy), why: .some(.undecided), isWork: true),
        Row(
            testDescription: "what may be a copy is where a link was", seen: seen(.copy), known: [known("a")],
            isWork: true),
        Row(
            testDescription: "a copy that was compared", seen: seen(.copy), known: [known("a", isLink: false)],
            isHinted: false),
        Row(
            testDescription: "a copy that somebody may have changed", seen: seen(.copy),
            known: [known("a", isLink: false)], isWork: true),
        Row(
            testDescription: "a copy becomes a link", seen: ownLink,
            known: [known("a", isLink: false)], came: [link("a")]),
    ]

    @Test("What goes on in the favorites folder is decided for each thing that is seen", arguments: table)
    private func decides(row: Row) {
        var (state, change) = (FavoritesState(), FolderChange())
        state.leftAlone["a"] = row.listed
        state.see(row.seen, row.known, isHinted: row.isHinted, at: Self.moment(0), &change)
        #expect(change.came.map(\.link) == row.came)
        #expect(change.new == row.came.filter { link in !row.known.contains { $0.link.day == link.day } })
        #expect(Set(state.going.keys) == Set(row.goes))
        #expect(state.leftAlone["a"] == (row.why ?? row.listed))
        #expect(state.work == (row.isWork ? .places(["a"]) : .none))
        let isUnknown = if case .unknown = row.seen.finding { true } else { false }
        #expect(state.due?.places == (isUnknown ? .places(["a"]) : nil))
    }

    private func gone(_ paths: [(String, Day, Int)]) -> FavoritesState {
        var (state, change) = (FavoritesState(), FolderChange())
        for (path, day, second) in paths {
            let sighting = Sighting(place: Place(stringLiteral: path))
            state.see(sighting, [Self.known(path, day)], isHinted: true, at: Self.moment(second), &change)
        }
        return state
    }

    private func overdue(_ state: FavoritesState, at second: Int) -> [String] {
        state.overdue(since: Self.moment(second).instant - Self.delay).map { "\($0.link.place) \($0.went)" }.sorted()
    }

    @Test(
        "What goes on in the favorites folder ends what has stayed away for two seconds, with the moment at which it went; a day's links together"
    )
    func time() {
        let state = gone([("a", Self.orion, 0), ("b", Self.clouds, 0), ("c", Self.clouds, 1)])
        #expect(overdue(state, at: 1) == [])
        #expect(overdue(state, at: 2) == ["a 1000"])
        #expect(overdue(state, at: 3) == ["a 1000", "b 1000", "c 1001"])
    }

    @Test(
        "What goes on in the favorites folder ends nothing that is back, nothing in a folder that is lost, and nothing of an album that cannot be read"
    )
    func spared() {
        let paths = [("a", Self.orion, 0), ("x/b", Self.clouds, 0), ("x/y/c", Self.clouds, 0), ("xy/d", Self.orion, 0)]
        var (state, change) = (gone(paths), FolderChange())
        let back = Sighting(place: "a", isTidy: true, finding: Self.orionSeen)
        state.see(back, [Self.known("a", isLink: false)], isHinted: false, at: Self.moment(1), &change)
        #expect(overdue(state, at: 9) == ["x/b 1000", "x/y/c 1000", "xy/d 1000"])
        state.spare("x", StorageError("open", "x", code: 5))
        #expect(overdue(state, at: 9) == ["xy/d 1000"])
        state.lose()
        #expect(overdue(state, at: 9) == [])
    }

    @Test("What goes on in the favorites folder ends at once what somebody asked for, and nothing else")
    func expired() {
        var state = gone([("a", Self.orion, 5), ("b", Self.clouds, 5)])
        state.expire(["a"], after: Self.delay)
        #expect(overdue(state, at: 5) == ["a 1005"])
    }

    @Test(
        "What goes on in the favorites folder takes a link to the same day that is going for one that was moved, the longest gone first"
    )
    func moved() {
        var state = gone([("a", Self.orion, 1), ("b", Self.orion, 0), ("c", Self.clouds, 0)])
        let new = ["x", "y", "z"].map { Self.link($0) }
        var change = FolderChange()
        change.moved = state.moved(to: new)
        #expect(change.moved.map { "\($1.place) \($0.place)" }.sorted() == ["a y", "b x"])
        state.remember(change)
        #expect(state.going.keys.map(\.place.description) == ["c"])
    }

    @Test("What goes on in the favorites folder has news of links that went, once")
    func lossNews() {
        var state = FavoritesState()
        var news = [state.takeLossNews()]
        state.end(Departures([RemovedLink(Self.link("a"), went: 100)], of: [], window: 2))
        for _ in 1...2 { news.append(state.takeLossNews()) }
        #expect(news == [false, true, false])
    }

    /// Links come, go and change by any path; the folder is lost, and time passes. After it has rested, the favorites are what
    /// is in the folder.
    @Test("What goes on in the favorites folder ends with what is in the folder, in any order", arguments: 0..<50)
    func walk(seed: Int) {
        var dice = Random(seed: UInt64(seed))
        var (state, folder, catalog) = (FavoritesState(), [String: Day](), [Link: Int]())
        var (second, isLost, ended) = (0, false, Set<Link>())
        let days = [Self.orion, Self.clouds, Day("2019-04-10")!]
        func look() {
            var change = FolderChange()
            for name in Set(folder.keys).union(catalog.keys.map { "\($0.place)" }) {
                let known = catalog.filter { "\($0.key.place)" == name }
                    .map { KnownLink($0.key, isLink: true, came: $0.value) }
                let finding = folder[name].map { Sighting.Finding.day($0, file: nil) } ?? .nothing
                let target = folder[name] == nil ? nil : LinkTarget(Array("2026-11-20".utf8))
                let sighting = Sighting(place: Place(stringLiteral: name), target: target, finding: finding)
                state.see(sighting, known, isHinted: true, at: Self.moment(second), &change)
            }
            change.moved = state.moved(to: change.new)
            for (new, old) in change.moved { catalog[new] = catalog.removeValue(forKey: old) }
            state.remember(change)
            for link in change.came.map(\.link) {
                catalog[link] = catalog[link] ?? 1000 + second
                ended.remove(link)
            }
        }
        func end() {
            let gone = state.overdue(since: Self.moment(second).instant - Self.delay)
            let present = catalog.map { KnownLink($0.key, isLink: true, came: $0.value) }
                .filter { known in gone.contains { $0.link.day == known.link.day } }
            let departures = Departures(gone, of: present, window: 2)
            state.end(departures)
            for link in gone.map(\.link) { catalog[link] = nil }
            ended.formUnion(departures.went.map(\.link))
        }
        for _ in 0..<200 {
            let name = "\(Int.random(in: 0..<4, using: &dice))"
            switch Int.random(in: 0..<10, using: &dice) {
            case 0...2: folder[name] = days.randomElement(using: &dice)
            case 3...4: folder[name] = nil
            case 5:
                isLost = true
                state.lose()
            case 6: isLost = false
            default: second += Int.random(in: 0...3, using: &dice)
            }
            if isLost { continue }
            look()
            end()
        }
        look()
        second += 3
        look()
        end()
        #expect(Set(catalog.keys) == Set(folder.map { Self.link($0.key, $0.value, nil) }))
        #expect(state.going.isEmpty && ended.isDisjoint(with: catalog.keys))
    }

    private static let departures: [(present: [(String, Int)], gone: [(String, Int)], moved: [String])] = [
        ([("a", 0)], [("a", 10)], []),
        ([("a", 0), ("b", 0)], [("a", 10)], []),
        // Another came at once.
        ([("a", 0), ("b", 8)], [("a", 10)], ["a to b"]),
        ([("a", 0), ("b", 11)], [("a", 10)], ["a to b"]),
        ([("a", 0), ("b", 7)], [("a", 10)], []),
        // One takes the place of one, and that of the first.
        ([("a", 0), ("b", 0), ("c", 10)], [("b", 10), ("a", 11)], ["b to c"]),
        ([("a", 0), ("b", 0), ("c", 10), ("d", 10)], [("a", 10), ("b", 10)], ["a to c", "b to d"]),
        // What came and went itself takes nobody's.
        ([("a", 0), ("b", 10)], [("a", 10), ("b", 12)], []),
    ]

    @Test(
        "What goes on in the favorites folder tells links that were moved from those that went",
        arguments: departures.indices)
    func departs(index: Int) {
        let (present, gone, moved) = Self.departures[index]
        let known = present.map { KnownLink(Self.link($0.0), isLink: true, came: $0.1) }
        let removed = gone.map { RemovedLink(Self.link($0.0), went: $0.1) }
        let departures = Departures(removed, of: known, window: 2)
        #expect(departures.moved.map { "\($0.from.place) to \($0.to.link.place)" }.sorted() == moved)
        let left = Set(removed.map(\.link)).subtracting(departures.moved.map(\.from))
        #expect(Set(departures.went.map(\.link)) == left)
    }

    @Test("What goes on in the favorites folder ends no link while something that was seen is not recorded")
    func behind() {
        var (state, change) = (FavoritesState(), FolderChange())
        state.see(
            Self.seen(.nothing), [Self.known("a")], isHinted: true, at: Self.moment(0), &change)
        state.isBehind = true
        #expect(state.overdue(since: Self.moment(5).instant).isEmpty)
        state.isBehind = false
        #expect(state.overdue(since: Self.moment(5).instant).map(\.link) == [Self.link("a")])
    }
}
