import Apod
import Files
import Synchronization
import TestSupport
import Testing

@testable import Fetching

struct ResumptionTests {
    private static let picture = Pictures.jpeg(bytes: 3_000_000, seed: 1)
    private static let other = Pictures.jpeg(bytes: 2_500_000, seed: 2)
    private static let broken = 1_600_000

    private static func response(_ body: Body, tag: String? = "a", ending: Response.Ending = .whole) -> Response {
        .jpeg(body, tag: tag, ending: ending)
    }

    private static let first = response(picture, ending: .close(after: broken))

    @Test("A file that broke off is gone on with where it ended", arguments: [0, 1])
    func goesOn(index: Int) async throws {
        let ending: Response.Ending = [.close(after: Self.broken), .reset(after: Self.broken)][index]
        let server = try HTTPServer { Self.response(Self.picture, ending: $0.attempt == 1 ? ending : .whole) }
        let fixture = try FetchFixture(server)
        let fetched = try await fixture.fetch(Self.picture)
        #expect(fetched.facts.sha256 == Digest(of: Self.picture.bytes))
        try #require(server.requests.count == 2)
        #expect(server.requests[0].headers["range"] == nil && server.requests[0].headers["if-range"] == nil)
        let range = try #require(server.requests[1].headers["range"])
        // A reset may overtake what was sent before it.
        #expect(index == 1 ? range.hasPrefix("bytes=") : range == "bytes=\(Self.broken)-")
        #expect(server.requests[1].headers["if-range"] == "\"a\"")
        #expect(fixture.fetcher.received == 3_000_000)
    }

    @Test("A file that broke off is gone on with after a restart, by ETag or by date", arguments: [true, false])
    func restart(byTag: Bool) async throws {
        let date = "Fri, 20 Nov 2026 05:05:00 GMT"
        let server = try HTTPServer { request in
            var response = Self.response(Self.picture, tag: byTag ? "a" : nil)
            if !byTag { response[header: "Last-Modified"] = date }
            if request.attempt == 1 { response.ending = .close(after: Self.broken) }
            return response
        }
        let fixture = try FetchFixture(server) { $0.attempts = 1 }
        #expect(await fixture.failure()?.isConnection == true)
        let name = try #require(try fixture.names.first)
        #expect(try fixture.names == [name, name + ".note"])
        let again = try fixture.again(server)
        let fetched = try await again.file()
        #expect(try fetched.contents() == Self.picture.bytes)
        #expect(server.requests[1].headers["range"] == "bytes=\(Self.broken)-")
        #expect(server.requests[1].headers["if-range"] == (byTag ? "\"a\"" : date))
        #expect(try fixture.names == fetched.names)
        #expect(again.fetcher.received == 3_000_000 - Self.broken)
    }

    @Test("A file that broke off starts over when it has changed meanwhile")
    func changed() async throws {
        let server = try HTTPServer { $0.attempt == 1 ? Self.first : Self.response(Self.other, tag: "b") }
        let fixture = try FetchFixture(server)
        let fetched = try await fixture.fetch(Self.other)
        #expect(fetched.facts.sha256 == Digest(of: Self.other.bytes))
        #expect(server.requests.map { $0.headers["if-range"] } == [nil, "\"a\""])
    }

    @Test("A file that broke off starts over with a server that knows no parts")
    func noRanges() async throws {
        let server = try HTTPServer { request in
            var response = request.attempt == 1 ? Self.first : Self.response(Self.picture)
            response.ranges = false
            return response
        }
        let fixture = try FetchFixture(server)
        #expect(try await fixture.file().contents() == Self.picture.bytes)
        #expect(server.requests.count == 2)
    }

    @Test("A file that broke off starts over without a strong validator", arguments: [nil, "W/\"a\""])
    func noValidator(tag: String?) async throws {
        let server = try HTTPServer { request in
            var response = Self.response(Self.picture, tag: nil)
            response[header: "ETag"] = tag
            if request.attempt == 1 { response.ending = .close(after: Self.broken) }
            return response
        }
        let fixture = try FetchFixture(server)
        try await fixture.fetch(Self.picture)
        #expect(server.requests.allSatisfy { $0.headers["range"] == nil })
    }

    @Test(
        "A file that broke off starts over when it is short, or when hardly anything has come",
        arguments: [(900_000, 800_000), (3_000_000, 15), (3_000_000, 0)])
    func short(bytes: Int, broken: Int) async throws {
        let picture = Pictures.jpeg(bytes: bytes)
        let server = try HTTPServer { Self.response(picture, ending: $0.attempt == 1 ? .close(after: broken) : .whole) }
        let fixture = try FetchFixture(server)
        try await fixture.fetch(picture)
        #expect(server.ranges == [nil, nil])
    }

    @Test("A file that broke off leaves no note when another, short one has taken its place")
    func shortInPlace() async throws {
        let short = Pictures.jpeg(bytes: 2_000)
        let server = try HTTPServer {
            $0.attempt == 1 ? Self.response(Self.picture, ending: .close(after: 0)) : Self.response(short, tag: "b")
        }
        let fixture = try FetchFixture(server)
        try await fixture.fetch(short)
    }

    @Test(
        "A file that broke off is kept while the server is out of order, and thrown away when the file is gone",
        arguments: [503, 404])
    func statusBetween(status: Int) async throws {
        let server = try HTTPServer {
            $0.attempt == 1 ? Self.first : $0.attempt == 2 ? .html(status) : Self.response(Self.picture)
        }
        let fixture = try FetchFixture(server)
        let reason = await fixture.failure()
        #expect(reason == (status == 503 ? nil : .status(404, retryAfter: nil)))
        #expect(try fixture.names.count == (status == 503 ? 2 : 0))
        #expect(server.requests.last?.headers["range"] == "bytes=\(Self.broken)-")
    }
}
