import Apod
import Files
import Store
import TestSupport
import Testing

@testable import Favorites

/// What is decided about the favorites folder; no disk is asked, and no history.
struct FolderStateTests {
    private static let (orion, clouds) = (Day("2026-11-20")!, Day("2026-09-13")!)
    private static let delay = Duration.seconds(2)
    private static let start = ContinuousClock.now
    private static let failure = Problem("read", "a", code: 5)

    private static func moment(_ seconds: Int) -> FolderState.Clocks {
        .init(instant: start + .seconds(seconds), seconds: 1000 + seconds)
    }

    private static func link(_ path: String, _ day: Day = orion, _ file: String? = "x.jpg") -> Link {
        Link(Place(stringLiteral: path), to: day, file: file)
    }

    private static func known(_ day: Day = orion, _ file: String? = "x.jpg", isLink: Bool = true) -> KnownLink {
        KnownLink(link("a", day, file), isLink: isLink, came: 0)
    }

    private static func seen(_ finding: Sighting.Finding, isLink: Bool = false, isTidy: Bool = false) -> Sighting {
        let target = isLink ? LinkTarget("../2026/11/2026-11-20 x.jpg".bytes) : nil
        return Sighting(place: "a", target: target, isTidy: isTidy, finding: finding)
    }

    private static func new(_ day: Day = orion, file: String? = "x.jpg", isNew: Bool = true) -> FolderState.Act {
        .record(HistoryLine(.came, link("a", day, file), at: 1000), isNew: isNew)
    }

    private struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let seen: Sighting
        var known: [KnownLink] = []
        var listed: UnrecognisedReason?
        /// What follows when somebody may just have changed it; and else, if that is another.
        let acts: [FolderState.Act]
        var unhinted: [FolderState.Act]?
        var goes: [Link] = []
        /// Why it is left alone then.
        var why: UnrecognisedReason?
    }

    private static let orionSeen = Sighting.Finding.day(orion, file: "x.jpg")
    private static let own = seen(orionSeen, isLink: true, isTidy: true)
    private static let copy = known(isLink: false)
    private static let (tidy, later) = (
        [FolderState.Act.tidy(isTouched: true)], [FolderState.Act.tidy(isTouched: false)]
    )

    private static let table = [
        Row(
            testDescription: "a link", seen: seen(orionSeen, isLink: true), acts: [new()] + tidy,
            unhinted: [new()] + later),
        Row(testDescription: "a link as the mirror makes it", seen: own, acts: [new()]),
        Row(testDescription: "a known link", seen: own, known: [known()], acts: []),
        Row(testDescription: "to another file", seen: own, known: [known(orion, "y.jpg")], acts: [new(isNew: false)]),
        Row(
            testDescription: "to another day", seen: own, known: [known(clouds)], acts: [new()],
            goes: [link("a", clouds)]),
        Row(
            testDescription: "to that day before, too", seen: own, known: [known(clouds), known()], acts: [],
            goes: [link("a", clouds)]),
        Row(
            testDescription: "a wish", seen: seen(.day(orion, file: nil), isLink: true), acts: [new(file: nil)] + tidy,
            unhinted: [new(file: nil)] + later),
        Row(testDescription: "nothing", seen: seen(.nothing), known: [known()], acts: [], goes: [link("a")]),
        Row(testDescription: "a folder", seen: seen(.album), known: [known()], acts: [], goes: [link("a")]),
        Row(
            testDescription: "nobody can tell", seen: seen(.unknown(failure)), known: [known()],
            acts: [.lookAgain(failure)]),
        Row(
            testDescription: "something else", seen: seen(.unrecognised(.outside)), known: [known()], acts: [],
            goes: [link("a")], why: .outside),
        Row(testDescription: "a stranger", seen: seen(.unrecognised(.outside)), acts: [], why: .outside),
        Row(testDescription: "another", seen: seen(.unrecognised(.file)), listed: .outside, acts: [], why: .file),
        Row(testDescription: "it went", seen: seen(.nothing), listed: .outside, acts: []),
        Row(testDescription: "what a kill left", seen: seen(.leftover), acts: tidy, unhinted: later),
        Row(testDescription: "perhaps a copy", seen: seen(.copy), acts: tidy, why: .undecided),
        Row(testDescription: "perhaps a copy, where a link was", seen: seen(.copy), known: [known()], acts: tidy),
        Row(testDescription: "a known copy", seen: seen(.copy), known: [copy], acts: tidy, unhinted: later),
        Row(testDescription: "a copy became a link", seen: own, known: [copy], acts: [new(isNew: false)]),
    ]

    @Test("What is seen in the favorites folder has its acts", arguments: table, [true, false])
    private func acts(row: Row, isHinted: Bool) {
        var state = FolderState()
        if let listed = row.listed {
            _ = state.step(Self.seen(.unrecognised(listed)), [], isHinted: true, at: Self.moment(0))
        }
        let acts = state.step(row.seen, row.known, isHinted: isHinted, at: Self.moment(0))
        #expect(acts == (isHinted ? row.acts : row.unhinted ?? row.acts))
        #expect(Set(state.going.keys) == Set(row.goes) && state.leftAlone["a"] == row.why)
    }

    @Test("A copy of an older picture goes when somebody may have changed it, and stays otherwise")
    func olderCopy() {
        for isHinted in [true, false] {
            var state = FolderState()
            _ = state.step(Self.seen(.unrecognised(.file)), [Self.copy], isHinted: isHinted, at: Self.moment(0))
            #expect(state.going.isEmpty != isHinted)
        }
    }

    private func gone(_ links: [(Link, Int)]) -> FolderState {
        var state = FolderState()
        for (link, second) in links {
            let known = KnownLink(link, isLink: true, came: 0)
            _ = state.step(Sighting(place: link.place), [known], isHinted: true, at: Self.moment(second))
        }
        return state
    }

    private func overdue(_ state: FolderState, at second: Int) -> [String] {
        state.overdue(since: Self.moment(second).instant - Self.delay).map { "\($0.link.place) \($0.went)" }.sorted()
    }

    @Test("Links end when they have stayed away for two seconds, a day's together, and none that cannot be seen")
    func time() {
        var state = gone([
            (Self.link("a"), 0), (Self.link("x/b", Self.clouds), 0), (Self.link("x/y/c", Self.clouds), 1),
            (Self.link("xy/d"), 0),
        ])
        #expect(overdue(state, at: 1) == [])
        #expect(overdue(state, at: 2) == ["a 1000", "xy/d 1000"])
        #expect(overdue(state, at: 3) == ["a 1000", "x/b 1000", "x/y/c 1001", "xy/d 1000"])
        _ = state.step(Self.own, [Self.known()], isHinted: false, at: Self.moment(1))
        state.spare("x")
        #expect(overdue(state, at: 9) == ["xy/d 1000"])
        state.expire(["xy/d"], after: Self.delay)
        #expect(overdue(state, at: 0) == ["xy/d 1000"])
        state.spare()
        #expect(state.going.isEmpty)
    }

    @Test("A new link to the same day takes the place of one that is going, the longest gone first")
    func moved() {
        let state = gone([(Self.link("a"), 1), (Self.link("b"), 0), (Self.link("c", Self.clouds), 0)])
        let moved = state.moved(to: ["x", "y", "z"].map { Self.link($0) })
        #expect(moved.map { "\($1.place) \($0.place)" }.sorted() == ["a y", "b x"])
    }

    private static let endings: [(present: [(String, Int)], gone: [(String, Int)], moved: [String])] = [
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

    @Test("Links that stayed away were moved or went", arguments: endings.indices)
    func ending(index: Int) {
        let (present, gone, moved) = Self.endings[index]
        let lines = FolderState.ending(
            gone.map { RemovedLink(Self.link($0.0), went: $0.1) },
            of: present.map { KnownLink(Self.link($0.0), isLink: true, came: $0.1) }, window: 2, at: 20)
        #expect(lines.filter { $0.change == .moved }.map { "\($0.from!) to \($0.link.place)" }.sorted() == moved)
        #expect(lines.filter { $0.change == .went }.count == gone.count - moved.count)
    }
}
