import Apod
import Store
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
            #expect(try fixture.thumbnails().colorless() == [])
        }
    }
}
