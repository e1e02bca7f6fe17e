import Apod
import Configuration
import Glibc
import Store
import TestMirror
import TestSupport
import Testing

@testable import Syncing

private typealias Item = ListFixture.Served.Item

struct ListKeepTests {
    @Test("A list with a keep loses none before it was read whole by the catalog that there is")
    func unread() async throws {
        let fixture = try ListFixture((1...6).map { Item("Cat \($0)") })
        try await fixture.refresh()
        try await fixture.testMirror.close()
        unlink(fixture.testMirror[".apod-mirror/catalog.sqlite"])
        fixture.list.keep = 3
        fixture.testMirror.settings.lists = [fixture.list]
        #expect(try await fixture.testMirror.mirror { try $0.range.pruning() }.isEmpty)
        try await fixture.refresh()
        #expect(fixture.pictures == (1...3).map { "Cat \($0).jpg" })
    }

    @Test(
        "A list with a keep is read to its end where it does not tell its newest first",
        arguments: [6, 19, 100])
    func order(pageSize: Int) async throws {
        // The last page may have one alone.
        let days = Array(11...24) + [10] + Array(25...29)
        let fixture = try ListFixture(
            days.map { Item("Cat", id: "\($0)", date: "2026-01-\($0)") }, pageSize: pageSize)
        fixture.list.keep = 5
        fixture.served.update { $0.tag = "\"1\"" }
        for _ in 0..<2 {
            try await fixture.refresh()
            #expect(fixture.pictures == (25...29).map { "2026/2026-01-\($0) Cat.jpg" })
        }
        fixture.served.update { $0.items.append(Item("Cat", id: "30", date: "2026-01-30")) }
        try await fixture.refresh()
        #expect(fixture.pictures == (26...30).map { "2026/2026-01-\($0) Cat.jpg" } && fixture.files == 1)
    }

    @Test(
        "A list with a keep is filled while there is room, and its deleted pictures come back",
        arguments: [false, true])
    func room(hasTag: Bool) async throws {
        let fixture = try ListFixture((1...9).map { Item("Cat \($0)", seed: UInt64($0)) })
        if hasTag { fixture.served.update { $0.tag = "\"1\"" } }
        try await fixture.refresh()
        func bytes() async throws -> Int { try await fixture.testMirror.mirror { try $0.archive.catalog.bytes() } }
        let all = try await bytes()
        func prune(atMost limit: Int?) async throws -> [String] {
            fixture.testMirror.settings.maxTotal = limit
            _ = try await fixture.testMirror.mirror { try await $0.retention.apply(isAsked: true) }
            return fixture.pictures
        }
        // The oldest go, and do not come and go.
        let left = try await prune(atMost: all - 5000)
        #expect((1...8).contains(left.count) && left.contains("Cat 1.jpg") && !left.contains("Cat 9.jpg"))
        let isTold = try await fixture.refresh(isAsked: true).contains { $0.hasPrefix("noted") }
        #expect(isTold != hasTag && fixture.files == 0)
        // One that is new does, in the place of the oldest, and a text.
        fixture.served.update { served in
            served.items[0].title = "Cat 0"
            served.items.insert(Item("New", seed: 99), at: 0)
            if hasTag { served.tag = "\"2\"" }
        }
        fixture.testMirror.settings.maxTotal = try await bytes() + 10
        try await fixture.refresh()
        #expect(Set(fixture.pictures).subtracting(left) == ["New.jpg"] && fixture.pictures.contains("Cat 1.jpg"))
        #expect(try fixture.json("Cat 1.json")["title"]?.string == "Cat 0")
        fixture.testMirror.settings.maxTotal = nil
        try await fixture.refresh()
        #expect(fixture.pictures.count == 10)
    }

    @Test("A list that is named again gets what its keep allows, though it answers that nothing is new")
    func namedAgain() async throws {
        let fixture = try ListFixture((1...6).map { Item("Cat \($0)") })
        fixture.list.keep = 6
        fixture.served.update { $0.tag = "\"1\"" }
        try await fixture.refresh()
        fixture.list.keep = 4
        try await fixture.refresh()
        let here = fixture.pictures
        fixture.testMirror.settings.lists = []
        let list = fixture.list.name
        _ = try await fixture.testMirror.mirror { mirror in
            try await mirror.retention(ofFormer: list).apply(isAsked: true)
        }
        #expect(here.count == 4 && fixture.pictures == [])
        #expect(try await fixture.refresh().count == 4 && fixture.files == 4)
        #expect(fixture.pictures == here)
        #expect(try await fixture.refresh() == [])
    }

    @Test("A list with a keep fetches none that it would delete, with dates or without")
    func oneOrder() async throws {
        func cats(_ days: Int...) -> [Item] { days.map { Item("Cat", id: "\($0)", date: "2026-01-\($0)") } }
        let fixture = try ListFixture(cats(13, 12, 11))
        fixture.list.keep = 2
        try await fixture.refresh()
        fixture.served.update { $0.items.insert(Item("New"), at: 0) }
        #expect(try await fixture.refresh().count == 2 && fixture.files == 1)
        let pictures = ["2026/2026-01-13 Cat.jpg", "New.jpg"]
        #expect(fixture.pictures == pictures)
        // It stands behind two that are dated before it came.
        let items = cats(15, 14) + [Item("New")]
        fixture.served.update { $0.items = items }
        try await fixture.refresh()
        #expect(fixture.files == 1 && fixture.pictures == ["2026/2026-01-15 Cat.jpg", "New.jpg"])
        for _ in 0..<2 {
            #expect(try await fixture.refresh() == [])
            #expect(fixture.files == 0)
        }
    }

    @Test("A list with a keep keeps the newest though the clock was ahead when older ones came")
    func clockAhead() async throws {
        let fixture = try ListFixture("Old", "Older", "Oldest")
        fixture.list.keep = 3
        let now = fixture.testMirror.clock.now
        fixture.testMirror.clock.set(now + 10 * 365 * 86_400)
        try await fixture.refresh()
        fixture.testMirror.clock.set(now)
        fixture.served.update { $0.items.insert(Item("New"), at: 0) }
        try await fixture.refresh()
        #expect(fixture.pictures == ["New.jpg", "Old.jpg", "Older.jpg"])
    }
}
