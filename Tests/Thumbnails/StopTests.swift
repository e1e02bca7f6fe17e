import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

/// Says that it is time to stop, from some question on.
private final class Stop {
    private var left: Int
    private(set) var isSet = false

    init(after count: Int) { left = count }

    var asked: Bool {
        if left == 0 { isSet = true } else { left -= 1 }
        return isSet
    }
}

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

        /// Stops it at its first question, at its second and so on, each time with what is left, until it is done.
        private func stepwise(_ work: (_ isStopped: () -> Bool) throws -> Void) rethrows -> Int {
            for count in 0..<500 {
                let stop = Stop(after: count)
                try work { stop.asked }
                if !stop.isSet { return count }
            }
            return .max
        }

        @Test("takes nothing away from then on, and all of it in the end", arguments: [0, 1, 7])
        func away(count: Int) async throws {
            let bench = try await bench()
            let all = try await generated(bench)
            #expect(all.count == 18)
            bench.uses = []
            let stop = Stop(after: count)
            try bench.thumbnails().tidy { stop.asked }
            let left = try await generated(bench)
            #expect(stop.isSet && left.count >= all.count - count && (count > 0 || left == all), "\(left)")
            #expect(try stepwise { isStopped in try bench.thumbnails().tidy(unless: isStopped) } > 3)
            #expect(try await generated(bench).isEmpty)
            let catalog = try bench.catalog
            #expect(try catalog.thumbnailBytes() == 0)
        }

        @Test("takes nothing for lost that it has not looked for")
        func looking() async throws {
            let bench = try await bench()
            let all = try await generated(bench)
            let stops = try stepwise { isStopped in
                try bench.thumbnails().tidy(unless: isStopped)
                #expect(try bench.missing.isEmpty)
            }
            #expect(stops > 10)
            #expect(try await generated(bench) == all)
        }

        @Test("knows which pictures that are gone have lost theirs")
        func stale() async throws {
            let bench = try await bench()
            let days = [day, day.advanced(by: -1), older]
            try await bench.shelf.prune(days, at: day.noon + 90 * 86_400)
            let catalog = try bench.catalog
            let stop = Stop(after: 0)
            try bench.thumbnails().removeStale { stop.asked }
            #expect(try await generated(bench).count { $0.hasPrefix("./gallery") } == 6)
            #expect(try catalog.daysWithStaleThumbnails().count == 3)
            #expect(try stepwise { isStopped in try bench.thumbnails().removeStale(unless: isStopped) } < 20)
            #expect(try catalog.daysWithStaleThumbnails().isEmpty)
            #expect(try await generated(bench).isEmpty)
        }

    }
}
