import Apod
import Archive
import Catalog
import Glibc
import TestSupport
import Testing

@testable import Gallery

struct IndexTests {
    private let today = november(20)

    private func index(_ fixture: GalleryFixture, _ year: Int = 2026) throws -> IndexedYear? {
        IndexedYear(try contents(fixture[".apod-mirror/days/\(year).json"]))
    }

    private func fixture() async throws -> GalleryFixture {
        let fixture = try await GalleryFixture(days: 2, to: today)
        try await fixture.fixture.add(day("2025-12-31"), "Clouds: \"Up\"", "Up.", [(.video, .mp4), (.poster, .jpeg)])
        try await fixture.fixture.add(november(17), "Words", "Only.", [], state: .placeholder)
        try await fixture.archive.record(DayStatus(day: november(16), state: .absent))
        try await fixture.archive.record(DayStatus(day: november(15), state: .failed))
        return fixture
    }

    @Test(
        "The published index of days has what the catalog knows, with a gallery and without one",
        arguments: [true, false])
    func days(isWithGallery: Bool) async throws {
        let fixture = try await fixture()
        try fixture.note(copiesOf: today, color: 0xff)
        if isWithGallery { try fixture.write() } else { try fixture.gallery.writeIndex(.all) }
        let (old, new) = (try #require(try index(fixture, 2025)), try #require(try index(fixture)))
        #expect(old.absent.isEmpty && new.absent == [november(16)])
        let days = old.days + new.days
        #expect(days.map(\.day) == ["2025-12-31", "2026-11-17", "2026-11-19", "2026-11-20"].map(day))
        for indexed in days {
            let stored = try #require(try fixture.archive.catalog.status(of: indexed.day)?.stored)
            #expect(indexed.name == stored.name && indexed.title == stored.title && indexed.files == stored.files)
            #expect(indexed.document == stored.json && indexed.documentBytes == stored.jsonBytes)
            #expect(indexed.hasCopies == (isWithGallery && indexed.day == today))
        }
    }

    @Test(
        "The published index of days is written for the years of the changed days alone, and not where nothing changed")
    func years() async throws {
        let fixture = try await fixture()
        try fixture.write()
        func inodes() -> [UInt] {
            [2025, 2026].map { year in
                var status = stat()
                return stat(fixture[".apod-mirror/days/\(year).json"], &status) == 0 ? UInt(status.st_ino) : 0
            }
        }
        let before = inodes()
        try fixture.write()
        #expect(inodes() == before && !before.contains(0))
        try await fixture.fixture.add(today.advanced(by: 1), "New", "Up.")
        try await fixture.fixture.add(day("2025-12-30"), "Old", "Up.")
        try fixture.write(.days([today.advanced(by: 1)]))
        #expect(inodes()[0] == before[0] && inodes()[1] != before[1])
        #expect(try index(fixture)?.days.last?.title == "New")
    }

    @Test("The published index of days has no files of a day that was pruned, and is no index when it is cut off")
    func pruned() async throws {
        let fixture = try await fixture()
        var status = try #require(try fixture.archive.catalog.status(of: today))
        status.state = .pruned
        try await fixture.archive.record(status)
        try fixture.write()
        let pruned = try #require(try index(fixture)?.days.last)
        #expect(pruned.day == today && pruned.files.isEmpty && !pruned.hasCopies)
        let bytes = try contents(fixture[".apod-mirror/days/2026.json"])
        for count in [0, 1, bytes.count / 2, bytes.count - 3] {
            #expect(IndexedYear(Array(bytes.prefix(count))) == nil, "\(count) bytes")
        }
    }
}
