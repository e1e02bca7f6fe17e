import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    struct Stops {
        private let day = ThumbnailsFixture.newest
        private let older = Day("1999-12-31")!

        private func fixture(_ uses: ThumbnailUses = .all) async throws -> ThumbnailsFixture {
            let fixture = try ThumbnailsFixture()
            fixture.uses = uses
            try await fixture.put("one.png", "small.jpg")
            try await fixture.put("small.jpg", on: older)
            try await fixture.makeAll(3)
            return fixture
        }

        private func generated(_ fixture: ThumbnailsFixture) async throws -> [String] {
            try await fixture.lines(
                "find . -path '*/.sh_thumbnails/*' -type f -o -path './gallery/[12]*' -type f | sort")
        }

        /// Cancels it at once, soon, and ever later, each time with what is left, until it ends by itself. Returns how often
        /// it was cancelled.
        private func timesCancelled(_ work: @escaping @Sendable () throws -> Void) async throws -> Int {
            for count in 0..<500 {
                let task = Task {
                    if count == 0 { withUnsafeCurrentTask { $0?.cancel() } }
                    try work()
                    return Task.isCancelled
                }
                startThread {
                    usleep(UInt32(20 * count))
                    task.cancel()
                }
                if try await !task.value { return count }
            }
            return .max
        }

        @Test("Work with thumbnails that is to stop takes nothing away from then on, and all of it in the end")
        func away() async throws {
            let fixture = try await fixture()
            let all = try await generated(fixture)
            #expect(all.count == 18)
            fixture.uses = []
            let thumbnails = try fixture.thumbnails()
            try await cancelled { try thumbnails.tidy() }
            #expect(try await generated(fixture) == all)
            #expect(try await timesCancelled { try thumbnails.tidy() } < .max)
            #expect(try await generated(fixture).isEmpty)
            let catalog = try fixture.catalog
            #expect(try catalog.thumbnailBytes() == 0)
        }

        @Test("Work with thumbnails that is to stop takes nothing for lost that it has not looked for")
        func looking() async throws {
            let fixture = try await fixture()
            let all = try await generated(fixture)
            let thumbnails = try fixture.thumbnails()
            let count = try await timesCancelled {
                try thumbnails.tidy()
                #expect(try thumbnails.missing().isEmpty)
            }
            #expect(count < .max)
            #expect(try await generated(fixture) == all)
        }

        @Test("Work with thumbnails that is to stop knows which pictures that are gone have lost theirs")
        func stale() async throws {
            let fixture = try await fixture()
            let days = [day, day.advanced(by: -1), older]
            try await fixture.mirror.prune(days, at: day.noon + 90 * 86_400)
            let catalog = try fixture.catalog
            let thumbnails = try fixture.thumbnails()
            try await cancelled { try thumbnails.removeStale() }
            #expect(try await generated(fixture).count { $0.hasPrefix("./gallery") } == 6)
            #expect(try catalog.staleThumbnails(in: .all).count == 3)
            #expect(try await timesCancelled { try thumbnails.removeStale() } < 500)
            #expect(try catalog.staleThumbnails(in: .all).isEmpty)
            #expect(try await generated(fixture).isEmpty)
        }
    }
}
