import Apod
import Files
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

@Suite("A favorite that has ended")
struct EndedFavoritesTests {
    private let old = day("2026-11-01")
    private let now = day("2026-11-20").noon
    private static let grace = 30 * 86_400

    /// A day that was a favorite until a moment, and a newer one.
    private func shelf(endedAt moment: Int, forgotten: Bool = false) async throws -> Shelf {
        let shelf = try Shelf()
        try await shelf.add(old, "Clouds")
        try await shelf.add(day("2026-11-20"), "Orion Rising")
        let catalog = try shelf.archive().catalog
        try begin(in: catalog)
        var change = FolderChange()
        if forgotten {
            change.vanished = [Link(place, to: old)]
        } else {
            change.gone = [place]
        }
        try catalog.record(change, at: moment)
        if forgotten {
            _ = try catalog.forget(nil, at: moment)
        } else {
            try catalog.record(Removals(of: nil), last: moment, at: moment)
        }
        #expect(try catalog.favorites().isEmpty)
        return shelf
    }

    private var place: Place { Place(Name("mine")!, in: .top) }

    private func begin(in catalog: Catalog) throws {
        var change = FolderChange()
        change.seen = [(place, .day(old))]
        try catalog.record(change, at: 5)
    }

    private static let ages = [
        (0, true), (1, true), (grace - 1, true), (grace, false), (grace + 1, false), (-1, true), (-5 * grace, true),
    ]

    @Test("keeps its picture for thirty days, however it ended", arguments: ages, [true, false])
    func stays(ended: (age: Int, stays: Bool), forgotten: Bool) async throws {
        let shelf = try await shelf(endedAt: now - ended.age, forgotten: forgotten)
        let catalog = try shelf.archive().catalog
        #expect(try catalog.pruneCandidates(at: now).map(\.isFavorite) == [ended.stays, false])
        #expect(try catalog.releasableBytes(before: day("2026-11-20"), at: now) == (ended.stays ? 0 : 1000))
        #expect(try catalog.ended(after: nil, atMost: 9, at: now).map(\.day) == (ended.stays ? [old] : []))
        let outcome = try await shelf.archive().prune([old], at: now)
        #expect(outcome.gone == (ended.stays ? [] : [old]) && outcome.unreadable.isEmpty)
        #expect(shelf.tree.contains("2026/11/2026-11-01 Clouds.jpg") == ended.stays)
        #expect(try await shelf.problems() == [])
    }

    @Test("has not when it became one again, and all that is told in the order in which it happened, by any clock")
    func becameOneAgain() async throws {
        let catalog = try await shelf(endedAt: now).archive().catalog
        try begin(in: catalog)
        #expect(try catalog.ended(after: nil, atMost: 9, at: now).isEmpty)
        #expect(try catalog.history().map(\.moment) == [5, now, 5])
    }

    @Test("keeps its picture also by a clock that is ahead of the newest day", arguments: [0, 3, 33, 4000])
    func ahead(days: Int) async throws {
        let shelf = try await shelf(endedAt: now)
        let later = now + days * 86_400
        #expect(try await shelf.archive().prune([old], at: later).gone.isEmpty)
        #expect(try shelf.archive().catalog.ended(after: nil, atMost: 9, at: later).map(\.day) == [old])
        // As soon as there are newer days, it is believed.
        try await shelf.add(day("2026-12-19"), "Months Later")
        #expect(try await shelf.archive().prune([old], at: later).gone == (days > 30 ? [old] : []))
    }

    @Test("is not on its way out any more, though it was marked before", arguments: [true, false])
    func leaving(stays: Bool) async throws {
        let shelf = try await shelf(endedAt: now - Self.grace + (stays ? 1 : 0))
        let catalog = try shelf.archive().catalog
        let stored = try catalog.status(of: old)?.stored
        try catalog.record([.init(DayStatus(day: old, state: .pruned, stored: stored))])
        let old = old
        try shelf.archive().tidy(now: now, going: { () throws(StorageError) in [old] })
        #expect(try catalog.status(of: old)?.state == .mirrored)
        _ = try await shelf.archive().prune([old], at: now)
        #expect(shelf.tree.contains("2026/11/2026-11-01 Clouds.jpg") == stays)
    }

    @Test("and begins again is a favorite; it is the last end that counts")
    func again() async throws {
        let shelf = try await shelf(endedAt: now - 2 * Self.grace)
        let catalog = try shelf.archive().catalog
        #expect(try catalog.pruneCandidates(at: now).map(\.isFavorite) == [false, false])
        try begin(in: catalog)
        #expect(try catalog.pruneCandidates(at: now).map(\.isFavorite) == [true, false])
        #expect(try catalog.ended(after: nil, atMost: 9, at: now).isEmpty)
        var change = FolderChange()
        change.gone = [place]
        try catalog.record(change, at: now)
        try catalog.record(Removals(of: nil), last: now, at: now)
        #expect(try catalog.pruneCandidates(at: now).map(\.isFavorite) == [true, false])
        let ended = try catalog.ended(after: nil, atMost: 9, at: now)
        #expect(ended.map(\.ended) == [now] && ended.map(\.added) == [5] && ended.allSatisfy(\.links.isEmpty))
    }

    @Test("is found page by page")
    func pages() async throws {
        let shelf = try Shelf()
        let catalog = try shelf.archive().catalog
        var change = FolderChange()
        let days = (1...5).map { day("2026-11-0\($0)") }
        change.seen = days.map { (Place(Name("\($0)")!, in: .top), .day($0)) }
        try catalog.record(change, at: 1)
        change = FolderChange()
        change.gone = days.map { Place(Name("\($0)")!, in: .top) }
        try catalog.record(change, at: now)
        try catalog.record(Removals(of: nil), last: now, at: now)
        #expect(try catalog.ended(after: nil, atMost: 2, at: now).map(\.day) == Array(days[..<2]))
        #expect(try catalog.ended(after: days[1], atMost: 2, at: now).map(\.day) == Array(days[2..<4]))
        #expect(try catalog.ended(after: days[3], atMost: 2, at: now).map(\.day) == [days[4]])
        #expect(try catalog.ended(after: days[4], atMost: 2, at: now).isEmpty)
    }
}
