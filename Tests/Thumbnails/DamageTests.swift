import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Decoders
@testable import Thumbnails

extension ThumbnailTests {
    @Suite("A picture that only its decoding shows to be damaged") struct Damage {
        private let bench: Bench

        init() throws { bench = try Bench() }

        @Test("is asked for again, and stays until another comes", arguments: ["cut.tif", "cut.avif"])
        func retried(name: String) async throws {
            let days = try await bench.put(name, "plain.tif", name)
            let catalog = try bench.catalog
            #expect(try await bench.make().count { $0.refusal != nil } == 2)
            for day in [days[0], days[2]] {
                let (source, why) = try #require(try catalog.undecodable(of: day).first)
                let status = try #require(try catalog.status(of: day))
                #expect(status.state == .failed && status.retryAfter == nil && status.attempts == 1)
                #expect(status.failure == Failure(undecodable: why) && !why.isEmpty)
                let image = try #require(status.whole?.image)
                #expect(image.sha256 == source)
                #expect(exists(bench["\(day.folder)/\(day) A Title.\(image.type.suffix)"]))
            }
            #expect(try catalog.status(of: days[1])?.state == .mirrored)
            #expect(try catalog.undecodable().count == 1 && catalog.undecodable(of: days[1]).isEmpty)
            try await bench.put("plain.tif", on: days[0])
            try await bench.makeAll()
            #expect(try catalog.status(of: days[0])?.state == .mirrored)
        }

        @Test(
            "is none that is refused for another reason, or whose end shows that it is whole",
            arguments: ["cut.jpg", "cut.png", "unknown.tif", "12bit.jpg"])
        func refused(name: String) async throws {
            let day = try await bench.put(name)[0]
            #expect(try await bench.make().map { $0.refusal != nil } == [true])
            let catalog = try bench.catalog
            #expect(try catalog.undecodable().isEmpty && catalog.status(of: day)?.state == .mirrored)
        }

        @Test("is no more, once it decodes; what else the day failed for stays")
        func failed() async throws {
            let day = try await bench.put("plain.tif")[0]
            var status = try #require(try bench.catalog.status(of: day))
            (status.state, status.failure) = (.failed, Failure(.missing, "its poster is missing"))
            try bench.catalog.record([.init(status)])
            try await bench.makeAll()
            #expect(try bench.catalog.status(of: day)?.state == .failed)
        }

        @Test("changes nothing of a day that has become another meanwhile")
        func meanwhile() async throws {
            let day = try await bench.put("plain.tif")[0]
            let catalog = try bench.catalog
            try catalog.record(
                .init(day: day, source: Digest(of: [1]), version: Worker.version, refusal: "cut", isDamaged: true))
            #expect(try catalog.status(of: day)?.state == .mirrored)
            try await bench.makeAll()
        }
    }
}
