import Apod
import Store
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    struct Kinds {
        private let fixture: ThumbnailsFixture

        init() throws { fixture = try ThumbnailsFixture() }

        @Test(
            "A picture of any kind is shown as it is",
            arguments: [
                "plain.jpg", "progressive.jpg", "cmyk.jpg", "rotated.jpg", "plain.png", "16bit.png",
                "alpha.png",
                "palette.png", "interlaced.png", "plain.webp", "plain.tif", "lzw.tif", "plain.avif",
            ])
        func good(name: String) async throws {
            let day = try await fixture.put(name)[0]
            try await fixture.makeAll()
            #expect(try await fixture.gallery == fixture.paths(day))
            for (kind, size) in [("1280.jpg", [1280, 960]), ("480.webp", [480, 360])] {
                let look = try await fixture.look(
                    at: day, kind, (0.1, 0.1), (0.1, 0.9), (0.6, 0.1), (0.9, 0.9))
                #expect(look == (size, name == "alpha.png" ? "grbw" : "grbb"))
            }
        }

        @Test(
            "A picture of any kind is made no larger",
            arguments: [
                ("one.png", [1, 1], [1, 1]), ("small.jpg", [300, 225], [300, 225]),
                ("animated.gif", [800, 600], [480, 360]), ("wide.jpg", [1280, 9], [480, 3]),
            ])
        func sizes(name: String, large: [Int], small: [Int]) async throws {
            let day = try await fixture.put(name)[0]
            try await fixture.makeAll()
            #expect(try await fixture.size(day, "1280.jpg") == large)
            #expect(try await fixture.size(day, "480.webp") == small)
        }

        @Test("A picture with a gigabyte of text in it is made without that or, by newer libraries, refused")
        func text() async throws {
            let day = try await fixture.put("text.png")[0]
            let outcome = try #require(try await fixture.make().first)
            #expect(outcome.isMade || outcome.refusal != nil)
            for path in outcome.isMade ? fixture.paths(day) : [] {
                #expect(try contents(fixture[path]).count < 4000)
            }
        }

        private static let bad = """
            cut.jpg cut.png cut.webp cut.avif bomb.png 12bit.jpg text.jpg heavy.jpg heavy-interlaced.png
            """.split(separator: " ").map(String.init)

        @Test(
            "What is no picture is refused with a reason, and keeps no other from its own",
            arguments: bad)
        func refused(name: String) async throws {
            let days = try await fixture.put("plain.jpg", name, "small.jpg")
            let made = try await fixture.make()
            #expect(Set(made.filter(\.isMade).map(\.day)) == [days[0], days[2]])
            let refusal = try #require(made.first { $0.day == days[1] }?.refusal)
            #expect(try await fixture.gallery == fixture.paths(days[2]) + fixture.paths(days[0]))
            // Not tried again, and told whoever asks.
            #expect(try fixture.missing.isEmpty)
            let asked = try await fixture.thumbnails().thumbnails(for: [days[1]], named: true).all()
            #expect(asked.map(\.refusal) == [refusal])
        }
    }
}

/// They take the processors that there are.
enum ThumbnailTests {}
