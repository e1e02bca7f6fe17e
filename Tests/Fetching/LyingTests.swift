import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Fetching

struct LyingTests {
    private static let picture = Pictures.jpeg(bytes: 3_000_000, seed: 1)
    private static let other = Pictures.jpeg(bytes: 3_000_000, seed: 2)
    private static let broken = 1_600_000

    private static func whole(_ body: Body, _ fields: [(String, String)]) -> Response {
        Response(
            headers: [(name: "Content-Type", value: "image/jpeg")] + fields.map { (name: $0.0, value: $0.1) }, body)
    }

    /// Breaks off; sends the rest of another file for the rest of this one; then the other one.
    private static func server(_ first: (String, String), then second: (String, String)?) throws -> HTTPServer {
        try HTTPServer { request in
            if request.attempt == 1 {
                var response = whole(picture, [first])
                response.ending = .close(after: broken)
                return response
            }
            if request.headers["range"] == nil { return whole(other, second.map { [$0] } ?? []) }
            let range = ("Content-Range", "bytes \(broken)-2999999/3000000")
            var response = whole(Body(Array(other.bytes[broken...])), [range] + (second.map { [$0] } ?? []))
            (response.status, response.ranges) = (206, false)
            return response
        }
    }

    @Test(
        "A server that lies about which file its part is of is found out",
        arguments: [
            (("ETag", "\"a\""), ("ETag", "\"b\"")), (("ETag", "\"a\""), ("ETag", "W/\"a\"")),
            (("ETag", "\"a\""), ("ETag", "")),
            (
                ("Last-Modified", "Fri, 20 Nov 2026 05:05:00 GMT"), ("Last-Modified", "Fri, 20 Nov 2026 05:05:01 GMT")
            ),
        ])
    func otherPart(first: (String, String), second: (String, String)) async throws {
        let server = try Self.server(first, then: second)
        let fixture = try FetchFixture(server)
        try await fixture.fetch(Self.other)
        #expect(server.ranges == [nil, "bytes=\(Self.broken)-", nil])
    }

    @Test("A server that lies whose answer's head has no end is given up, with that word")
    func longHead() async throws {
        let server = try HTTPServer { _ in
            Self.whole(Self.picture, [("X", String(repeating: "a", count: 1 << 20))])
        }
        #expect(try await FetchFixture(server).failure() == .connection("the answer's head is too long"))
    }

    @Test("A server that lies that nothing is missing is not believed of another file", arguments: ["\"a\"", "\"b\""])
    func nothingMissing(tag: String) async throws {
        let server = try HTTPServer { request in
            var response = Self.whole(Self.picture, [("ETag", "\"a\"")])
            if request.attempt == 1 { response.framing = .declaring(3_000_001) }
            guard request.attempt == 2 else { return response }
            response = Self.whole(Body("no more"), [("ETag", tag), ("Content-Range", "bytes */3000000")])
            (response.status, response.ranges) = (416, false)
            return response
        }
        let fixture = try FetchFixture(server)
        let fetched = try await fixture.file()
        #expect(try fetched.contents() == Self.picture.bytes && fixture.names == fetched.names)
        #expect(server.requests.count == (tag == "\"a\"" ? 2 : 3))
        #expect(server.requests[1].headers["range"] == "bytes=3000000-")
    }

    @Test(
        "A server that lies is not gone on with by the note of another boot, of another address, or by half a note",
        arguments: ["other boot", "no boot", "other address", "half", "no end", "empty", "whole"])
    func note(kind: String) async throws {
        let server = try HTTPServer { request in
            var response = Self.whole(Self.picture, [("ETag", "\"a\"")])
            if request.attempt == 1 { response.ending = .close(after: Self.broken) }
            return response
        }
        let fixture = try FetchFixture(server) { $0.attempts = 1 }
        _ = await fixture.failure()
        let name = try #require(try fixture.names.first { $0.hasSuffix(".note") })
        let text = String(decoding: try fixture.folder.file(name)!.contents(atMost: 1 << 16), as: UTF8.self)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.count == 4)
        switch kind {
        case "other boot": lines[0] = String(lines[0].reversed())
        case "no boot": lines[0] = ""
        case "other address": lines[1] += "x"
        case "half": lines.removeLast(2)
        case "no end": lines.removeLast()
        case "empty": lines = []
        default: break
        }
        try fixture.folder.remove(name)
        try fixture.folder.makeFile(name).append(Array(lines.joined(separator: "\n").utf8))
        #expect(try await fixture.again(server).file().contents() == Self.picture.bytes)
        #expect(server.requests.last?.headers["range"] == (kind == "whole" ? "bytes=\(Self.broken)-" : nil))
    }

    @Test(
        "A server that lies about where something is leads from no https to http",
        arguments: ["http://a.example/b.jpg", "HTTP://a.example/b.jpg", "http://b.example:443/", " http://a.example/"])
    func downgrade(location: String) throws {
        #expect(throws: FetchError.self) {
            try Redirects.target(of: location, from: address("https://a.example/a.jpg"))
        }
        #expect(throws: Never.self) { try Redirects.target(of: location, from: address("http://a.example/a.jpg")) }
        for kept in ["https://b.example/", "//b.example/", "/b", "b", "?b"] {
            #expect(try Redirects.target(of: kept, from: address("https://a.example/a.jpg")).scheme == "https")
        }
    }
}
