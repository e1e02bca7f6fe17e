import Apod
import Archive
import Catalog
import Concurrency
import Files
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    @Suite("Work with thumbnails that is to stop") struct Stops {
        private let day = Bench.newest
        private let older = Day("1999-12-31")!

        private func bench(_ uses: ThumbnailUses = .all) async throws -> Bench {
            let bench = try Bench()
            bench.uses = uses
            try await bench.put("one.png", "small.jpg")
            try await bench.put("small.jpg", on: older)
            try await bench.makeAll(3)
            return bench
        }

        private func generated(_ bench: Bench) async throws -> [String] {
            try await bench.lines("find . -path '*/.sh_thumbnails/*' -type f -o -path './gallery/[12]*' -type f | sort")
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

        @Test("takes nothing away from then on, and all of it in the end")
        func away() async throws {
            let bench = try await bench()
            let all = try await generated(bench)
            #expect(all.count == 18)
            bench.uses = []
            let thumbnails = try bench.thumbnails()
            try await cancelled { try thumbnails.tidy() }
            #expect(try await generated(bench) == all)
            #expect(try await timesCancelled { try thumbnails.tidy() } > 0)
            #expect(try await generated(bench).isEmpty)
            let catalog = try bench.catalog
            #expect(try catalog.thumbnailBytes() == 0)
        }

        @Test("takes nothing for lost that it has not looked for")
        func looking() async throws {
            let bench = try await bench()
            let all = try await generated(bench)
            let thumbnails = try bench.thumbnails()
            let count = try await timesCancelled {
                try thumbnails.tidy()
                #expect(try thumbnails.missing().isEmpty)
            }
            #expect(count > 0)
            #expect(try await generated(bench) == all)
        }

        @Test("knows which pictures that are gone have lost theirs")
        func stale() async throws {
            let bench = try await bench()
            let days = [day, day.advanced(by: -1), older]
            try await bench.shelf.prune(days, at: day.noon + 90 * 86_400)
            let catalog = try bench.catalog
            let thumbnails = try bench.thumbnails()
            try await cancelled { try thumbnails.removeStale() }
            #expect(try await generated(bench).count { $0.hasPrefix("./gallery") } == 6)
            #expect(try catalog.daysWithStaleThumbnails().count == 3)
            #expect(try await timesCancelled { try thumbnails.removeStale() } < 500)
            #expect(try catalog.daysWithStaleThumbnails().isEmpty)
            #expect(try await generated(bench).isEmpty)
        }
    }
}
