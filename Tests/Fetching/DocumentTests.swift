import Apod
import Files
import TestSupport
import Testing

@testable import Fetching

struct DocumentTests {
    private static let text = #"{"title":"Orion Rising"}"#

    @Test("A document arrives whole, whatever its framing", arguments: framings)
    func whole(framing: Response.Framing) async throws {
        let server = try HTTPServer { _ in
            Response(headers: [("X-WP-Total", "11"), ("ETag", "\"a\"")], Body(Self.text), framing: framing)
        }
        let document = try await FetchFixture(server).document()
        #expect(document.bytes == Array(Self.text.utf8))
        #expect(document.fields["x-wp-total"] == "11")
        #expect(document.fields["etag"] == "\"a\"")
    }

    @Test("A document of a mirror tells later fetchers, too, that NASA's pictures are there")
    func mirror() async throws {
        let server = try HTTPServer { request in
            request.path.hasSuffix(".jpg") ? .jpeg() : Response(headers: [("X-Apod-Mirror", "1")], Body("{}"))
        }
        let mirrors = KnownMirrors()
        _ = try await FetchFixture(server) { $0.mirrors = mirrors }.document()
        let later = try FetchFixture(server) { $0.mirrors = mirrors }
        #expect(await later.failure("https://assets.science.nasa.gov/content/dam/a.jpg") == nil)
        #expect(server.requests.last?.path == "/content/dam/a.jpg")
    }

    @Test("A document takes no header field from behind its body")
    func trailers() async throws {
        let server = try HTTPServer { _ in
            Response(
                headers: [("Transfer-Encoding", "chunked"), ("X-WP-Total", "11")],
                Body("2\r\n{}\r\n0\r\nX-WP-Total: 12\r\n\r\n"), framing: .untilClose)
        }
        let document = try await FetchFixture(server).document()
        #expect(document.bytes == Array("{}".utf8) && document.fields["x-wp-total"] == "11")
    }

    @Test("A document keeps no more header fields than any has, however many are sent")
    func fields() async throws {
        let server = try HTTPServer { _ in
            Response(headers: (0..<1000).map { (name: "X-\($0)", value: "1") }, Body(Self.text))
        }
        let document = try await FetchFixture(server).document()
        #expect(document.bytes == Array(Self.text.utf8) && document.fields.count == 300)
    }

    @Test("A document is asked for under the program's name, and may be empty")
    func userAgent() async throws {
        let server = try HTTPServer { _ in .text("") }
        #expect(try await FetchFixture(server).document("/a?b=c").bytes == [])
        let request = try #require(server.requests.first)
        #expect(request.headers["user-agent"] == "apod-mirror/test (+https://example.org)")
        #expect(request.target == "/a?b=c")
        #expect(request.method == "GET")
    }

    @Test("A document that is not there is asked for once", arguments: [400, 403, 404, 410])
    func absent(status: Int) async throws {
        let server = try HTTPServer { _ in .html(status) }
        let fixture = try FetchFixture(server)
        let reason = await reason { try await fixture.document() }
        #expect(reason == .status(status, retryAfter: nil))
        #expect(reason?.isPermanent == true && reason?.isAbsence == true)
        #expect(server.requests.count == 1)
    }

    @Test("A document is asked for again when the server is out of order", arguments: [408, 425, 429, 500, 504])
    func disorder(status: Int) async throws {
        let server = try HTTPServer { $0.attempt < 3 ? .html(status) : .json(Self.text) }
        let fixture = try FetchFixture(server)
        #expect(try await fixture.document().bytes == Array(Self.text.utf8))
        #expect(server.requests.count == 3)
    }

    @Test("A document is given up after so many attempts", arguments: [1, 3])
    func givenUp(attempts: Int) async throws {
        let server = try HTTPServer { _ in .html(503) }
        let fixture = try FetchFixture(server) { $0.attempts = attempts }
        let reason = await reason { try await fixture.document() }
        #expect(reason == .status(503, retryAfter: nil))
        #expect(reason?.isAbsence == false)
        #expect(server.requests.count == attempts)
    }

    @Test("A document comes after faults of every kind", arguments: [0, 1, 2, 3, 4, 5, 6])
    func faults(index: Int) async throws {
        let text = String(repeating: Self.text, count: 1000)
        let faults: [Response] = [
            Response(Body(text), ending: .reset(after: 10_000)), Response(Body(text), ending: .reset(after: 0)),
            Response(Body(text), ending: .close(after: 10_000)),
            Response(Body(text), framing: .chunked, ending: .close(after: 10_000)),
            Response(Body(text), framing: .declaring(text.utf8.count + 1)),
            Response(Body(text), ending: .stall(after: 5)), .hanging,
        ]
        let server = try HTTPServer { $0.attempt == 1 ? faults[index] : .json(text) }
        let fixture = try FetchFixture(server) { if index >= 5 { $0.stallSeconds = 1 } }
        #expect(try await fixture.document().bytes == Array(text.utf8))
        #expect(server.requests.count == 2)
    }

    @Test("A document of a server that says nothing, or next to nothing, has stalled", arguments: [0, 1, 2, 3])
    func stalled(index: Int) async throws {
        let faults: [Response] = [
            .hanging, Response(Body(Self.text), trickle: .seconds(5)),
            Response(Body(Self.text), ending: .stall(after: 9)),
            Response(Body([.repeated([0x20], count: 1 << 20)]), trickle: .milliseconds(4)),
        ]
        let server = try HTTPServer { _ in faults[index] }
        let fixture = try FetchFixture(server) {
            $0.attempts = 1
            $0.stallSeconds = 1
        }
        let reason = await reason { try await fixture.document() }
        #expect(reason == .stalled(seconds: 1))
        #expect("\(reason!)" == "nothing, or next to nothing, came for 1 s")
    }

    @Test("A document that comes slowly but steadily may take its time")
    func slow() async throws {
        let text = String(repeating: "x", count: 1300)
        let server = try HTTPServer { _ in Response(Body(text), trickle: .milliseconds(2)) }
        let fixture = try FetchFixture(server) {
            $0.attempts = 1
            $0.stallSeconds = 1
            $0.slowest = 10
        }
        let start = ContinuousClock.now
        #expect(try await fixture.document().bytes.count == 1300)
        #expect(ContinuousClock.now - start > .seconds(2))
    }

    @Test(
        "A document compressed is unpacked, and too large if it is small only while it is packed",
        arguments: [1, 20_000_000])
    func gzip(count: Int) async throws {
        let home = try TemporaryFolder()
        try save(Body([.repeated(spaces, count: count)]).bytes, to: home.appending("a"))
        let packed = Body(try await Program.run("/usr/bin/env", ["gzip", "-c", home.appending("a")]).outputBytes)
        #expect(packed.count < 100_000)
        let server = try HTTPServer { _ in Response(headers: [("Content-Encoding", "gzip")], packed) }
        let fixture = try FetchFixture(server)
        let reason = await reason {
            let document = try await fixture.document(limit: 1 << 20)
            #expect(document.bytes == [0x20])
        }
        #expect(reason == (count == 1 ? nil : .tooLarge(limit: 1 << 20)))
        #expect(server.requests.count == 1)
        #expect(server.requests[0].headers["accept-encoding"]?.contains("gzip") == true)
    }
}
