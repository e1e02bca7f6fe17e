import Apod
import TestSupport
import Testing

@testable import Configuration
@testable import Store
@testable import Syncing

struct PruneRoundTests {
    private static let first = day("2020-01-01")

    private static func days(_ count: Int) -> [Candidate] {
        (0..<count).map { candidate(FileName(day: first.advanced(by: $0), title: "")) }
    }

    private static func candidate(_ name: FileName) -> Candidate {
        Candidate(name: name, title: "", bytes: 10)
    }

    private static let cats = ListName("cats")!

    /// Versions of 10 bytes of the first days; every second one was replaced long ago.
    private static func former(_ count: Int) -> [FormerVersion] {
        (0..<count).map { number in
            FormerVersion(
                key: .day(first.advanced(by: number)), number: 1, replaced: number % 2 * 100, kinds: [], bytes: 10,
                jsonBytes: 1, isReverted: false, isDeleted: false)
        }
    }

    @Test(
        "A plan takes what is older than keep, old versions, then the oldest days, or nothing",
        arguments: [
            // Days that may go, versions, the total, the age of `keep` in days, the limit → days, versions, out of reach.
            (10, 0, 200, nil, 200, 0, 0, false), (10, 0, 200, nil, 195, 1, 0, false),
            (10, 0, 200, nil, 100, 10, 0, false),
            (10, 0, 200, nil, 99, 0, 0, true), (10, 0, 200, 3, nil, 3, 0, false), (10, 0, 200, 3, 180, 3, 0, false),
            (10, 0, 200, 3, 150, 5, 0, false), (10, 0, 200, 3, 50, 3, 0, true), (10, 4, 200, 2, nil, 2, 2, false),
            (10, 4, 200, nil, 190, 0, 1, false), (10, 4, 200, nil, 175, 1, 2, false),
            (1, 44, 900, nil, 400, 0, 0, true),
        ] as [(days: Int, former: Int, total: Int, keep: Int?, limit: Int?, gone: Int, left: Int, isOut: Bool)])
    func plan(
        days: Int, former: Int, total: Int, keep: Int?, limit: Int?, gone: Int, left: Int, isOut: Bool
    ) {
        let plan = PruneRound(
            of: Self.days(days), Self.former(former), total: total,
            isOutside: { key in keep.map { key < .day(Self.first.advanced(by: $0)) } ?? false }, atMost: limit,
            replacedBefore: 50)
        #expect(plan.days.map(\.day) == Self.days(gone).map(\.day))
        #expect(plan.replaced.count == left && plan.isOutOfReach == isOut)
    }

    @Test(
        "A plan waits where it takes more than five pictures by a new rule, or more than half",
        arguments: [
            // Days to go, former versions to go, how many pictures there are, whether the rule is the last one.
            (5, 0, 5, false, false), (0, 44, 5, false, false), (6, 0, 1000, false, true), (6, 44, 1000, false, true),
            (6, 0, 1000, true, false), (6, 0, 12, true, false), (6, 0, 11, true, true), (10, 0, 11, true, true),
        ])
    func waits(days: Int, former: Int, all: Int, isLastRule: Bool, isHeld: Bool) {
        var settings = Settings(root: "/")
        (settings.keep, settings.maxTotal) = (Span("9d"), 20_000_000_000)
        let list = PictureList(name: Self.cats, address: WebAddress("https://a.example/")!, keep: 3)
        settings.lists = [list]
        let items = (0..<days).map { Self.candidate(FileName(ItemName(title: "\($0)", date: nil, of: Self.cats))) }
        // A list's part is judged by itself.
        let plan = PruneRound(pictures: items + Self.days(days), replaced: Self.former(former))
        let held = PruneHold(
            rule: "keep = 9d, max-total = 20G", pictures: days, replaced: former, bytes: 10 * (days + former),
            range: days == 0 ? nil : Self.first...Self.first.advanced(by: days - 1))
        let ofList = PruneHold(
            list: Self.cats, rule: "list.cats.keep = 3, max-total = 20G", pictures: days, bytes: 10 * days, range: nil)
        for (list, held) in [(nil, held), (Self.cats, ofList)] {
            for last in isLastRule
                ? [settings.rule(of: list)] : [nil, Settings(root: "/").rule()]
            {
                #expect(plan.hold(of: list, by: settings, lastApplied: last, of: all) == (isHeld ? held : nil))
            }
        }
    }

    @Test("What may go is other lists' pictures by their dates, then days, but no covers and no favorites")
    func candidates() async throws {
        let fixture = try ArchiveFixture()
        for number in 1...3 { try await fixture.add(november(number)) }
        let list = try ListArchive("cats", of: fixture.archive())
        var names: [FileName] = []
        for (title, date) in [("B", nil), ("A", "2030-01-01"), ("C", "1994-05-25"), (nil, nil)] as [(String?, String?)]
        {
            names.append(try await list.add(title, date: date))
        }
        let catalog = try fixture.openCatalog
        let found = try catalog.candidates(before: november(3), sparing: [.day(november(1)), names[1].key])
        #expect(found.map(\.name.stem) == ["1994-05-25 C", "B", "2026-11-02 A Title"])
        #expect(found.bytes == found.reduce(0) { $0 + $1.bytes } && found[2].bytes == 1000)
        let items = try catalog.releasableBytes(before: november(1), sparing: [])
        for (favorites, expected) in [
            (Set<Key>(), [0, 1000, 2000, 3000]), ([.day(november(2))], [0, 1000, 1000, 2000]),
        ] {
            let sizes = try (1...4).map {
                try catalog.releasableBytes(before: november($0), sparing: favorites) - items
            }
            #expect(sizes == expected)
        }
        #expect(try catalog.items(of: Self.cats, beyond: 1) == [names[2].key, names[0].key])
        _ = try await fixture.archive().prune([names[1].key], at: 0)
        #expect(try catalog.items(of: Self.cats, beyond: 1) == [names[2].key])
        #expect(try catalog.items(of: Self.cats, beyond: 1, coming: []) == [names[2].key, names[0].key])
    }
}
