import Apod
import Configuration
import Decoders
import Service
import Store
import TestSupport
import Testing

@testable import apod_mirror

/// What each row says of a count. That it counts right is tested where it is counted.
struct StatusTableTests {
    private static let newest = day("2026-11-20")

    private static func ago(_ days: Int) -> Day { newest.advanced(by: -days) }

    private struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Days here, by their age.
        let ages: [Int]
        /// The age of the first day to mirror.
        let since: Int
        let thumbnails: Settings.YesNo
        /// The rows that are not always the same.
        let told: [String]
        /// The codes of what is wrong.
        let conditions: [String]
        let change: @Sendable (ArchiveFixture) async throws -> Void

        init(
            _ what: String, ages: [Int] = [0], since: Int = 0,
            thumbnails: Settings.YesNo = .no, _ told: String..., conditions: [String] = [],
            change: @escaping @Sendable (ArchiveFixture) async throws -> Void = { _ in }
        ) {
            testDescription = what
            (self.ages, self.since, self.thumbnails) = (ages, since, thumbnails)
            (self.told, self.conditions, self.change) = (told, conditions, change)
        }
    }

    private static func refuseThumbnails(_ fixture: ArchiveFixture) throws {
        let image = try #require(try fixture.openCatalog.item(of: newest)?.stored?.image)
        try fixture.openCatalog.record(
            .init(PictureKey(newest), source: image.sha256, version: Worker.version, refusal: "too dark"))
    }

    private static let rows = [
        Row("nothing", ages: [], "days: none yet", "missing: 1 (not yet fetched)|SYNC"),
        Row("a day, and those before", since: 2, "missing: 2 (not yet fetched, from 2026-11-18 on)|SYNC"),
        Row("days that were asked for by name", ages: [3, 2, 0], "days: 1, and 2 older"),
        Row(
            "a failed refresh", since: 1, "missing: 1 (not yet fetched, from 2026-11-19 on; see below)",
            conditions: ["unfinished"]
        ) { try $0.openCatalog.setLastFailure(LastFailure("no answer", at: 0)) },
        Row(
            "failed days, one of which lacks only its still", ages: [], since: 1, "failed: 2 (see below)",
            "incomplete: 1 (a poster, second picture or correction is missing; see below)",
            conditions: ["incomplete", "failed"]
        ) { fixture in
            try await fixture.add(newest, "A Title", "Some text.", [(.video, .mp4)])
            try await fixture.add(ago(1), "A Title", "Some text.", [(.poster, .jpeg)])
            for age in 0...2 {
                var status = try fixture.openCatalog.item(of: ago(age)) ?? Item(.day(ago(age)), .failed)
                (status.state, status.failure) = (.failed, "no answer")
                try fixture.openCatalog.record([Catalog.Update(status)])
            }
        },
        Row(
            "worse copies", ages: [], since: 3,
            """
            worse copy: 4 (the original is asked for again: 2026-11-20, 2026-11-19, 2026-11-18 and 1 more)\
            |`apod-mirror sync 2026-11-20` asks at once
            """
        ) { for age in 0..<4 { try await $0.add(ago(age), downgraded: true, state: .downgraded) } },
        Row(
            "deleted days", ages: [1, 0], "days: 1, and 1 older",
            "deleted: 1 (earlier; the texts stay)|`apod-mirror sync DATE` fetches the pictures again"
        ) { try await $0.prune([ago(1)]) },
        Row(
            "days deleted by other settings", ages: [1, 0], since: 1,
            "missing: 1 (deleted by other settings than now)|SYNC"
        ) { try await $0.prune([ago(1)]) },
        Row(
            "these and others", ages: [1, 0], since: 2,
            "missing: 2 (not yet fetched, from 2026-11-18 on; 1 of them deleted by other settings than now)|SYNC"
        ) { try await $0.prune([ago(1)]) },
        Row("a picture of which no thumbnails can be made", thumbnails: .yes, conditions: ["undecodable"]) {
            try refuseThumbnails($0)
        },
        Row("the same where none are wanted") { try refuseThumbnails($0) },
        Row(
            "a wish, and no folder", "favorites: 2 (1 without a picture)", conditions: ["folder-lost", "pending"]
        ) { try $0.favorites.favor([ago(9), newest], at: 0) },
    ]

    @Test("The table of status has a row for each count that is not zero, with what it means", arguments: rows)
    private func told(_ row: Row) async throws {
        let fixture = try ArchiveFixture()
        for age in row.ages { try await fixture.add(Self.ago(age)) }
        try await row.change(fixture)
        var settings = Settings(root: fixture.root)
        (settings.gallery, settings.thumbnails, settings.since) = (.no, row.thumbnails, Self.ago(row.since))
        let report = try StatusReport(settings, fixture.openCatalog, fixture.favorites, at: Self.newest.noon)
        #expect(report.conditions.map { try? JSONText(JSON($0).compact)["code"]?.string } == row.conditions)
        let always: Set = ["folder", "pictures", "size", "service", "last refresh", "settings", "free on disk"]
        let told = Status(settings, of: nil, asJSON: false).lines(of: report)
            .filter { !always.contains($0.name) }
            .map { "\($0.name): \($0.words)".replacing(#/, from \S+ to 2026-11-20/#, with: "") }
            .filter { $0.wholeMatch(of: #/days: [0-9]+|favorites: 0/#) == nil }
        let expected = row.told.map { $0.replacing("SYNC", with: "`apod-mirror sync` fetches them") }
        #expect(told == expected.map { $0.replacing("|", with: "\n") })
    }
}
