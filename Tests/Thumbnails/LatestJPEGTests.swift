import Apod
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    struct LatestJPEGTests {
        private let fixture: ThumbnailsFixture

        init() throws { fixture = try ThumbnailsFixture() }

        private func latest(worker: String? = ThumbnailsFixture.worker) throws -> LatestJPEG {
            LatestJPEG(try fixture.mirror.archive(), worker: worker)
        }

        @Test(
            "A newest picture that is no JPEG gets a JPEG copy, to which latest.jpg leads",
            arguments: [
                ("16bit.png", [1600, 1200], "grbb"), ("heavy.png", [3840, 3840], "rrrr"),
            ])
        func made(name: String, size: [Int], colours: String) async throws {
            try await fixture.put(name)
            let latest = try latest()
            #expect(try await latest.make()?.isMade == true)
            let path = target(of: fixture["latest.jpg"]) ?? ""
            #expect(path.hasPrefix(".apod-mirror/latest/2026-11-20-"))
            let bytes = try contents(fixture[path])
            #expect(MediaType(firstBytes: bytes) == .jpeg)
            let look = try await fixture.look(at: path, [(0.1, 0.1), (0.1, 0.9), (0.6, 0.1), (0.9, 0.9)])
            #expect(look == (size, colours))
            #expect(try await latest.make() == nil)
            #expect(listing(fixture[".apod-mirror/unfinished"]).isEmpty)
        }

        @Test(
            "A newest picture that cannot be decoded gets no JPEG copy, and is not tried again"
        )
        func refused() async throws {
            try await fixture.put("cut.png", "plain.jpg", "plain.png")
            let latest = try latest()
            #expect(try await latest.make()?.refusal != nil)
            #expect(try await latest.make() == nil)
            #expect(target(of: fixture["latest.jpg"])?.hasPrefix("2026/11/2026-11-19") == true)
        }

        @Test("A newest picture gets no JPEG copy where the decoder does not start, and is tried again")
        func failed() async throws {
            try await fixture.put("plain.png")
            let latest = try latest(worker: "/bin/true")
            for _ in 1...2 { #expect(try await latest.make()?.failure != nil) }
            #expect(try await latest.make(unless: { $0 == ThumbnailsFixture.newest }) == nil)
            #expect(try await self.latest(worker: nil).make() == nil)
        }
    }
}
