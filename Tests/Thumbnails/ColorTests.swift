import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    struct Colors {
        private let fixture: ThumbnailsFixture

        init() throws { fixture = try ThumbnailsFixture() }

        private func color(_ day: Day) throws -> Int? { try fixture.catalog.thumbnail(of: day)?.color }

        /// Whether each of red, green and blue is as expected, but for what compression changes.
        private func isNear(_ color: Int?, _ expected: (Int, Int, Int)) -> Bool {
            guard let color else { return false }
            let differences = [
                color >> 16 - expected.0, color >> 8 & 255 - expected.1, color & 255 - expected.2,
            ]
            return differences.allSatisfy { abs($0) <= 4 }
        }

        @Test(
            "The average colour of a picture comes with its thumbnails",
            arguments: [
                ("plain.jpg", (108, 33, 120)), ("16bit.png", (108, 33, 120)), ("alpha.png", (130, 55, 123)),
                ("one.png", (220, 20, 20)), ("grey.jpg", (65, 65, 65)),
            ] as [(String, (Int, Int, Int))])
        func made(name: String, expected: (Int, Int, Int)) async throws {
            let day = try await fixture.put(name)[0]
            try await fixture.makeAll()
            let made = try color(day)
            #expect(isNear(made, expected), "\(made.map { String($0, radix: 16) } ?? "none")")
            #expect(try fixture.thumbnails().colorless().map(\.day) == [])
        }

        @Test(
            "The average colour is read from the smallest copy where the catalog is new"
        )
        func read() async throws {
            fixture.uses = .all
            let days = try await fixture.put("plain.jpg", "blue.jpg", "red.jpg")
            try await fixture.makeAll(3)
            try await fixture.mirror.forget()
            try fixture.thumbnails(worker: "/nothing/there").tidy()
            let before = try inodes()
            #expect(try fixture.missing.isEmpty && fixture.thumbnails().colorless().map(\.day) == days)
            // The originals are not looked at.
            for path in ["2026/11/2026-11-20 A Title.jpg", "gallery/2026/2026-11-20-1280.jpg"] {
                truncate(fixture[path], 0)
            }
            #expect(
                try await fixture.thumbnails().readColors(of: Array(days.prefix(2)))
                    == Array(days.prefix(2)))
            #expect(isNear(try color(days[0]), (108, 33, 120)))
            #expect(isNear(try color(days[1]), (20, 20, 220)))
            #expect(try color(days[2]) == nil)
            #expect(try fixture.thumbnails().colorless().map(\.day) == [days[2]])
            #expect(try inodes() == before)
            #expect(try fixture.catalog.thumbnail(of: days[0])?.uses == .all)
        }

        private func inodes() throws -> [UInt?] {
            try Folder.open(fixture["gallery/2026"]).names().sorted().map {
                Facts(fixture["gallery/2026/\($0)"])?.inode
            }
        }

        @Test(
            "A new picture has no average colour until its own thumbnails are made"
        )
        func replaced() async throws {
            let day = try await fixture.put("red.jpg")[0]
            _ = try await fixture.make()
            try await fixture.put("blue.jpg", on: day)
            func shown() throws -> Int? {
                try fixture.catalog.screenCopies(in: day...day)[DayPicture(day)]?.color
            }
            #expect(try shown() == nil)
            // Its copies are still those of the other.
            let former = try #require(try fixture.catalog.thumbnail(of: day))
            try fixture.catalog.record(former.with(color: nil))
            #expect(try await fixture.thumbnails().readColors(of: [day]) == [])
            #expect(try color(day) == nil)
            try await fixture.makeAll()
            #expect(isNear(try shown(), (20, 20, 220)))
            // What was read of the former comes too late.
            try fixture.catalog.setColors([(DayPicture(day), former.source, 0xdc_1414)])
            #expect(isNear(try shown(), (20, 20, 220)))
        }
    }
}

extension Catalog.ThumbnailState {
    func with(color: Int?) -> Self {
        Self(
            picture, source: source, version: version, refusal: refusal, screenBytes: screenBytes,
            sharedBytes: sharedBytes, color: color)
    }
}
