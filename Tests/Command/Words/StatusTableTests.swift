import Apod
import Archive
import Catalog
import Configuration
import Control
import Decoders
import TestSupport
import Testing

@testable import apod_mirror

/// What each row says of a count. That it counts right is tested where it is counted.
@Suite("The table of status") struct StatusTableTests {
    private static let newest = day("2026-11-20")

    private static func ago(_ days: Int) -> Day { newest.advanced(by: -days) }

    private struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Days here, by their age.
        var ages = [0]
        /// The age of the first day to mirror.
        var since = 0
        var keep: String?
        var thumbnails = Settings.YesNo.no
        var change: @Sendable (Shelf) async throws -> Void = { _ in }
        /// The codes of what is wrong.
        var conditions: [String] = []
        /// Those of the rows that are not always the same.
        let told: [String]
    }

    private static func refuseThumbnails(_ shelf: Shelf) throws {
        let image = try #require(try shelf.openCatalog.status(of: newest)?.stored?.image)
        try shelf.openCatalog.record(
            .init(day: newest, source: image.sha256, version: Worker.version, refusal: "too dark"))
    }

    private static let rows = [
        Row(testDescription: "nothing", ages: [], told: ["days: none yet", "missing: 1 (not yet fetched; SYNC)"]),
        Row(testDescription: "a day", told: ["days: 1, from 2026-11-20 to 2026-11-20"]),
        Row(testDescription: "two days", ages: [1, 0], told: ["days: 2, from 2026-11-19 to 2026-11-20"]),
        Row(
            testDescription: "a gap", ages: [2, 0], since: 2,
            told: [
                "days: 2, from 2026-11-18 to 2026-11-20 (1 day between is not here)",
                "missing: 1 (not yet fetched; SYNC)",
            ]),
        Row(
            testDescription: "gaps, and days before", ages: [3, 0], since: 5,
            told: [
                "days: 2, from 2026-11-17 to 2026-11-20 (2 days between are not here)",
                "missing: 4 (not yet fetched, from 2026-11-15 on; SYNC)",
            ]),
        Row(
            testDescription: "a failed refresh", ages: [1, 0], since: 2,
            change: { try $0.openCatalog.setLastFailure(LastFailure("no answer", at: 0)) },
            conditions: ["unfinished"],
            told: [
                "days: 2, from 2026-11-19 to 2026-11-20", "missing: 1 (not yet fetched, from 2026-11-18 on; see below)",
            ]),
        Row(
            testDescription: "failed days, one of which lacks only its still", ages: [], since: 2,
            change: { shelf in
                try await shelf.add(newest, "A Title", "Some text.", [(.video, .mp4)])
                try await shelf.add(ago(1), "A Title", "Some text.", [(.poster, .jpeg)])
                for age in 0...2 {
                    var status = try shelf.openCatalog.status(of: ago(age)) ?? DayStatus(day: ago(age), state: .failed)
                    (status.state, status.failure) = (.failed, "no answer")
                    try shelf.openCatalog.record([Catalog.Change(status)])
                }
            },
            conditions: ["incomplete", "failed"],
            told: [
                "days: 2, from 2026-11-19 to 2026-11-20", "failed: 2 (see below)",
                "incomplete: 1 (all but a poster or a correction is here; see below)",
            ]),
        Row(
            testDescription: "absent days", since: 1,
            change: { try $0.openCatalog.record([.init(.absent(ago(1), after: nil, at: newest.noon))]) },
            told: ["days: 1, from 2026-11-20 to 2026-11-20", "no picture: 1 (NASA has none for these days)"]),
        Row(
            testDescription: "worse copies", ages: [],
            change: { for age in 0..<4 { try await $0.add(ago(age), downgraded: true, state: .downgraded) } },
            told: [
                "days: 4, from 2026-11-17 to 2026-11-20",
                """
                worse copy: 4 (the original is asked for again, `apod-mirror sync DATE` does so at once: 2026-11-20, \
                2026-11-19, 2026-11-18 and 1 more)
                """,
            ]),
        Row(
            testDescription: "text only", ages: [1],
            change: { try await $0.add(newest, "A Title", "Some text.", [], state: .placeholder) },
            told: ["days: 2, from 2026-11-19 to 2026-11-20", "text only: 1 (NASA has only their text)"]),
        Row(
            testDescription: "corrections", change: { try $0.openCatalog.setFact(.replaced, 2) },
            told: [
                "days: 1, from 2026-11-20 to 2026-11-20",
                "replaced: 2 (`apod-mirror revert DATE` brings back what NASA replaced)",
            ]),
        Row(
            testDescription: "deleted days", ages: [1, 0], change: { try await $0.prune([ago(1)]) },
            told: [
                "days: 2, from 2026-11-19 to 2026-11-20",
                "deleted: 1 (earlier; the texts stay, and `apod-mirror sync DATE` fetches the pictures again)",
            ]),
        Row(
            testDescription: "days deleted by `keep`", ages: [2, 1, 0], since: 2, keep: "1d",
            change: { try await $0.prune([ago(2)]) },
            told: [
                "days: 3, from 2026-11-18 to 2026-11-20",
                "deleted: 1 (`keep` does not allow their pictures; the texts stay)",
            ]),
        Row(
            testDescription: "days deleted by other settings", ages: [1, 0], since: 1,
            change: { try await $0.prune([ago(1)]) },
            told: [
                "days: 2, from 2026-11-19 to 2026-11-20", "missing: 1 (deleted by other settings than now; SYNC)",
            ]),
        Row(
            testDescription: "days deleted by other settings, and others", ages: [1, 0], since: 2,
            change: { try await $0.prune([ago(1)]) },
            told: [
                "days: 2, from 2026-11-19 to 2026-11-20",
                "missing: 2 (not yet fetched, from 2026-11-18 on; 1 of them deleted by other settings than now; SYNC)",
            ]),
        Row(
            testDescription: "a picture of which no thumbnails can be made", thumbnails: .yes,
            change: { try refuseThumbnails($0) }, conditions: ["undecodable"],
            told: ["days: 1, from 2026-11-20 to 2026-11-20"]),
        Row(
            testDescription: "the same where none are wanted", change: { try refuseThumbnails($0) },
            told: ["days: 1, from 2026-11-20 to 2026-11-20"]),
        Row(
            testDescription: "a wish, and no folder", change: { try $0.openCatalog.favor([ago(9), newest], at: 0) },
            conditions: ["folder-lost", "pending"],
            told: ["days: 1, from 2026-11-20 to 2026-11-20", "favorites: 2 (1 without a picture)"]),
    ]

    @Test("has a row for each count that is not zero, with what it means", arguments: rows)
    private func told(_ row: Row) async throws {
        let shelf = try Shelf()
        for age in row.ages { try await shelf.add(Self.ago(age)) }
        try await row.change(shelf)
        var settings = Settings(root: shelf.root)
        (settings.gallery, settings.thumbnails, settings.since) = (.no, row.thumbnails, Self.ago(row.since))
        settings.keep = row.keep.flatMap { Span($0) }
        let report = try StatusReport(settings, shelf.openCatalog, at: Self.newest.noon)
        let always: Set = ["folder", "pictures", "size", "service", "last refresh", "free on disk"]
        let told = Status(settings, asJSON: false).lines(of: report)
            .filter { !always.contains($0.name) && ($0.name, $0.words) != ("favorites", "0") }
            .map { "\($0.name): \($0.words)" }
        #expect(report.conditions.map(\.code) == row.conditions)
        #expect(told == row.told.map { $0.replacing("SYNC", with: "`apod-mirror sync` fetches them") })
    }
}
