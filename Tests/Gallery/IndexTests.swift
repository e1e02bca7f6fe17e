import Apod
import Store
import TestSupport
import Testing

@testable import Gallery

struct IndexTests {
    private let today = november(20)

    @Test(
        "The published index of days has what the catalog knows, with a gallery and without one",
        arguments: [true, false])
    func days(isWithGallery: Bool) async throws {
        let fixture = try await GalleryFixture(days: 3, to: today)
        try await fixture.fixture.add(day("2025-12-31"), "Clouds: \"Up\"", "Up.", film)
        try await fixture.fixture.add(november(17), "Words", "Only.", [], state: .placeholder)
        try await fixture.record(november(16)) { $0.state = .absent }
        try await fixture.record(november(15)) { _ in }
        try fixture.note(copiesOf: today, color: 0xff)
        _ = try await fixture.archive.prune([november(18)], at: 2_000_000_000)
        func index(_ year: Int) throws -> IndexedYear {
            let bytes = try contents(fixture[".apod-mirror/days/\(year).json"])
            for count in [0, 1, bytes.count / 2, bytes.count - 3] {
                #expect(IndexedYear(Array(bytes.prefix(count))) == nil)
            }
            return try #require(IndexedYear(bytes))
        }
        func inode() -> UInt64? { Facts(fixture[".apod-mirror/days/2025.json"]).map { UInt64($0.inode) } }
        try fixture.gallery.write(isShown: isWithGallery)
        let (old, new, before) = (try index(2025), try index(2026), inode())
        #expect(old.absent.isEmpty && new.absent == [november(16)])
        let days = old.days + new.days
        #expect(days.map(\.day) == ["2025-12-31", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"].map(day))
        for indexed in days {
            let status = try #require(try fixture.archive.catalog.item(of: indexed.key))
            let stored = try #require(status.stored)
            #expect(indexed.name == stored.name && indexed.title == stored.title)
            #expect(indexed.files == (status.state == .pruned ? [] : stored.files))
            #expect(indexed.document == stored.json && indexed.documentBytes == stored.jsonBytes)
            #expect(indexed.hasCopies == (isWithGallery && indexed.day == today))
        }
        try await fixture.fixture.add(today.advanced(by: 1), "New", "Up.")
        try await fixture.fixture.add(day("2025-12-30"), "Old", "Up.")
        try fixture.gallery.write([today], isShown: isWithGallery)
        #expect(try index(2026).days.last?.title == "New" && inode() == before)
    }
}
