import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Fetching

struct DocumentTests {
    private static let text = String(repeating: #"{"title":"Orion Rising"}"#, count: 1000)
    private static let limit = 1 << 20

    @Test("A document arrives whole, with its head, whatever its framing", arguments: framings)
    func whole(framing: Response.Framing) async throws {
        let fixture = try FetchFixture { _ in
            Response(headers: [("X-WP-Total", "11")], Body(Self.text), framing: framing)
        }
        let document = try await fixture.document("/a?b=c")
        #expect(document.bytes == Self.text.bytes && document.fields["x-wp-total"] == "11")
        let request = try #require(fixture.requests.first)
        #expect(request.headers["user-agent"] == "apod-mirror/test (+https://example.org)")
        #expect(request.target == "/a?b=c" && request.method == "GET")
    }

    @Test("A document takes few header fields, and none from behind its body")
    func fields() async throws {
        let fields = [("Transfer-Encoding", "chunked"), ("X-WP-Total", "11")] + (0..<1000).map { ("X-\($0)", "1") }
        let fixture = try FetchFixture { _ in
            Response(
                headers: fields.map { (name: $0.0, value: $0.1) }, Body("2\r\n{}\r\n0\r\nX-WP-Total: 12\r\n\r\n"),
                framing: .untilClose)
        }
        let document = try await fixture.document()
        #expect(document.bytes == "{}".bytes && document.fields["x-wp-total"] == "11")
        #expect(document.fields.count == 300)
        let endless = try FetchFixture { _ in Response(headers: [("X", String(repeating: "a", count: 1 << 20))]) }
        #expect(await endless.refusal()?.code == .transfer)
    }

    @Test(
        "A document comes after a fault of any kind",
        arguments: [408, 425, 429, 500, 504].map { .html($0) } + [
            Response(Body(text), ending: .reset(after: 10_000)), Response(Body(text), ending: .reset(after: 0)),
            Response(Body(text), ending: .close(after: 10_000)),
            Response(Body(text), framing: .chunked, ending: .close(after: 10_000)),
            Response(Body(text), framing: .declaring(text.utf8.count + 1)),
            Response(Body(text), ending: .stall(after: 5)), .hanging,
        ])
    func faults(fault: Response) async throws {
        let fixture = try FetchFixture(HTTPServer { $0.attempt == 1 ? fault : .json(Self.text) }) {
            $0.stallSeconds = 1
        }
        #expect(try await fixture.document().bytes == Self.text.bytes)
        #expect(fixture.requests.count == 2)
    }

    @Test("A document is given up after so many attempts, with longer pauses between them", arguments: [1, 4])
    func givenUp(attempts: Int) async throws {
        let fixture = try FetchFixture(HTTPServer { _ in .html(503) }) {
            ($0.pause, $0.attempts) = (.milliseconds(40), attempts)
        }
        let start = ContinuousClock.now
        let reason = await fixture.refusal()
        #expect(reason == .status(503, retryAfter: nil) && reason?.isAbsence == false)
        #expect(fixture.requests.count == attempts)
        // 40, 80 and 160 ms, each a quarter less at the least.
        #expect(ContinuousClock.now - start >= .milliseconds(attempts == 1 ? 0 : 210))
    }

    @Test(
        "A server that says nothing, or next to nothing, has stalled; one that is slow and steady has not",
        arguments: zip(
            [
                .hanging, Response(Body(text), ending: .stall(after: 9)),
                Response(Body(text), trickle: .milliseconds(4)),
                Response(Body(String(text.prefix(1300))), trickle: .milliseconds(2)),
            ], [500, 500, 500, 10]))
    func stalled(response: Response, slowest: Int) async throws {
        let fixture = try FetchFixture(
            HTTPServer { _ in response
            }
        ) { ($0.attempts, $0.stallSeconds, $0.slowest) = (1, 1, slowest) }
        #expect(await fixture.refusal() == (slowest == 10 ? nil : .stalled(seconds: 1)))
    }

    @Test("A compressed document is unpacked, and too large if only its packing is small", arguments: [1, 20_000_000])
    func gzip(count: Int) async throws {
        let home = try TemporaryFolder()
        try save([UInt8](repeating: 0x20, count: count), to: home.appending("a"))
        let packed = Body(try await Program.run("/usr/bin/env", ["gzip", "-c", home.appending("a")]).outputBytes)
        let fixture = try FetchFixture { _ in Response(headers: [("Content-Encoding", "gzip")], packed) }
        let reason = await reason {
            let document = try await fixture.document(limit: Self.limit)
            #expect(document.bytes == [0x20])
        }
        #expect(reason == (count == 1 ? nil : .tooLarge(limit: Self.limit)) && fixture.requests.count == 1)
        #expect(fixture.requests[0].headers["accept-encoding"]?.contains("gzip") == true)
    }

    /// The server falls silent soon behind the limit: a client that read on would not end before it has stalled.
    @Test("A document that is too large, or that nobody wants, is not read to its end")
    func endless() async throws {
        let body = Body([.repeated("0123456789abcdef".bytes, count: 200 << 20)])
        func check(_ response: Response, isFile: Bool = false, _ expected: FetchError?) async throws {
            let server = try HTTPServer { $0.path == "/" ? response : .text("found") }
            let fixture = try FetchFixture(server) { $0.stallSeconds = 60 }
            let start = ContinuousClock.now
            let reason =
                await isFile
                ? fixture.failure() : reason { try await fixture.document(limit: Self.limit) }
            #expect(reason == expected && ContinuousClock.now - start < .seconds(45))
            try await everybodyLeft(server)
        }
        for framing in framings {
            let response = Response(body, framing: framing, ending: .stall(after: 3 * Self.limit))
            try await check(response, .tooLarge(limit: Self.limit))
        }
        for isFile in [true, false] {
            let response = Response(status: 404, body, ending: .stall(after: Self.limit))
            try await check(response, isFile: isFile, .status(404, retryAfter: nil))
        }
        let headers = [(name: "Location", value: "/found")]
        try await check(Response(status: 302, headers: headers, body, ending: .stall(after: Self.limit)), nil)
    }

    @Test(
        "A wish for a pause is kept, unless it is too long; it is a day at most",
        arguments: [("1", nil), ("61", 61), ("86401", 86_400), ("31622400", 86_400)])
    func requestedPause(requestedPause: String, refused: Int?) async throws {
        let fixture = try FetchFixture { $0.attempt == 1 ? .html(429, retryAfter: requestedPause) : .text("now") }
        #expect(await fixture.refusal() == refused.map { .status(429, retryAfter: $0) })
        let times = fixture.requests.map(\.time)
        #expect(refused == nil ? times.last! - times[0] >= .milliseconds(990) : times.count == 1)
    }

    @Test(
        "A wish for a pause is a number, or a date by the server's own clock, of a server that refuses",
        arguments: [
            (30, ["+30"]), (86_400, ["Mon, 07 Nov 1994 08:49:37 GMT"]),
            (300, ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]),
            (
                nil,
                [
                    "Sun, 06 Nov 1994 08:44:37 GMT", "", "-5", "0", "1.5.1994", "1793491200", "30 s",
                    "99999999999999999999", "٣", "now, please",
                ]
            ),
        ] as [(Int?, [String])])
    func date(seconds: Int?, texts: [String]) {
        for (text, status) in texts.flatMap({ text in [200, 403, 404, 429, 500].map { (text, $0) } }) {
            let fields = ["retry-after": text, "date": "Sun, 06 Nov 1994 08:44:37 GMT"]
            let pause = AnswerHead(status: status, fields: fields).retryAfter
            #expect(pause == (status == 200 || status == 404 ? nil : seconds))
            #expect(FetchError.status(403, retryAfter: pause).isPermanent == (pause == nil))
        }
        // By this machine's clock, where the server tells none.
        let soon = Day(utc: time(nil)).advanced(by: 2)
        let text = "\(soon.monthName.prefix(3)) \(soon.day) \(soon.year) 00:00:00 GMT"
        #expect(AnswerHead(status: 429, fields: ["retry-after": text]).retryAfter == 86_400)
    }

    @Test("The upstream's wish for a pause keeps other documents waiting, and that of another host does not")
    func others() async throws {
        let pictures = try HTTPServer { _ in .html(503, retryAfter: "30") }
        let server = try HTTPServer { $0.path == "/busy" ? .html(503, retryAfter: "2") : .text("there") }
        for (path, least, most) in [("/busy", 1, 20), ("\(server.origin)/busy", 1, 20), (pictures.origin, 0, 1)] {
            let fixture = try FetchFixture(server)
            _ = try await fixture.document()
            let before = fixture.fetcher.signs
            let busy = Task { path == "/busy" ? await fixture.refusal(path) : await fixture.failure(path) }
            try await lookOut(for: "a sign") { fixture.fetcher.signs > before }
            let start = ContinuousClock.now
            _ = try await fixture.document()
            #expect(least...20 + most ~= Int((ContinuousClock.now - start) / .seconds(1)))
            busy.cancel()
            _ = await busy.value
        }
    }
}
