import Apod
import Files
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

struct EndedFavoritesTests {
    private let old = november(1)
    private let now = november(20).noon
    private static let grace = 90 * 86_400

    /// A day that was a favorite until a moment, and a newer one.
    private func fixture(endedAt moment: Int) async throws -> ArchiveFixture {
        let fixture = try ArchiveFixture()
        try await fixture.add(old, "Clouds")
        try await fixture.add(november(20), "Orion Rising")
        try fixture.favorites.favor([old], at: 5)
        try fixture.favorites.unfavor([old], at: moment)
        return fixture
    }

    private static let ages = [
        (0, true), (grace - 1, true), (grace, false), (-5 * grace, true),
    ]

    @Test("A favorite that has ended keeps its picture for ninety days", arguments: ages)
    func stays(ended: (age: Int, stays: Bool)) async throws {
        let fixture = try await fixture(endedAt: now - ended.age)
        let outcome = try await fixture.prune([old], at: now)
        #expect(outcome.gone == (ended.stays ? [] : [old]) && outcome.refused.isEmpty)
        #expect(fixture.tree.contains("2026/11/2026-11-01 Clouds.jpg") == ended.stays)
        #expect(try await fixture.problems() == [])
    }

    @Test(
        "A favorite that has ended keeps its picture also by a clock that is ahead of the newest day",
        arguments: [0, 3, 93, 4000])
    func ahead(days: Int) async throws {
        let fixture = try await fixture(endedAt: now)
        let later = now + days * 86_400
        #expect(try await fixture.prune([old], at: later).gone.isEmpty)
        // As soon as there are newer days, it is believed.
        try await fixture.add(day("2027-02-17"), "Months Later")
        #expect(try await fixture.prune([old], at: later).gone == (days > 90 ? [old] : []))
    }
}
