import Apod
import Glibc
import TestSupport
import Testing

@testable import Fetching

struct RetryTests {
    @Test("A fetcher's patience waits for as long as the server asks to be left alone", arguments: [403, 429, 503])
    func retryAfter(status: Int) async throws {
        let server = try HTTPServer { $0.attempt == 1 ? .html(status, retryAfter: "1") : .text("now") }
        let fixture = try FetchFixture(server)
        #expect(try await fixture.document().bytes == Array("now".utf8))
        let times = server.requests.map(\.time)
        try #require(times.count == 2)
        #expect(times[1] - times[0] >= .milliseconds(990))
    }

    @Test("A fetcher's patience tells in plain words why nobody can be reached")
    func plain() async throws {
        let server = try HTTPServer { _ in .text("") }
        let fixture = try FetchFixture(server)
        server.stop()
        let gone = await reason { try await fixture.document() }
        #expect(gone == .unreachable("connection refused") && "\(gone!)" == "cannot be reached (connection refused)")
        // Longer than a name may be: no other machine is asked for it.
        let name = String(repeating: "a", count: 64)
        let unknown = await reason { try await fixture.document("http://\(name).example") }
        #expect(unknown == .unreachable("its name is not found"))
        let other = try HTTPServer { _ in .text("") }
        let plain = await reason { try await fixture.document("https://127.0.0.1:\(other.port)/") }
        #expect(
            plain == .unreachable("HTTPS fails there; if it speaks plain HTTP, write http://127.0.0.1:\(other.port)"))
    }

    @Test("A fetcher's patience tells what a document is waited for, until it has come or is waited for no longer")
    func failure() async throws {
        let server = try HTTPServer { request in
            if request.path == "/a" { return request.attempt == 1 ? .html(503) : .hanging }
            return request.attempt == 1 ? .html(502) : .text("now")
        }
        let fixture = try FetchFixture(server)
        #expect(fixture.fetcher.problem == nil)
        let task = Task { await reason { try await fixture.document("/a") } }
        try await server.request { $0.path == "/a" && $0.attempt == 2 }
        #expect(fixture.fetcher.problem?.number == 503)
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(fixture.fetcher.problem == nil)
        _ = try await fixture.document("/b")
        #expect(fixture.fetcher.problem == nil)
    }

    @Test(
        "A fetcher's patience ends at once when the server wishes for too much, and takes no wish for more than a day",
        arguments: [
            ("61", 61), ("86401", 86_400), ("31622400", 86_400),
        ])
    func tooLong(requestedPause: String, seconds: Int) async throws {
        let server = try HTTPServer { _ in .html(429, retryAfter: requestedPause) }
        let fixture = try FetchFixture(server)
        let reason = await reason { try await fixture.document() }
        #expect(reason == .status(429, retryAfter: seconds))
        #expect("\(reason!)" == "the server answered 429 and asks for a pause of \(seconds) s")
        #expect(server.requests.count == 1)
    }

    @Test(
        "A fetcher's patience understands a date in each of its forms, by the server's own clock, and nothing that makes no sense",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 300), ("Sunday, 06-Nov-94 08:49:37 GMT", 300),
            ("Sun Nov  6 08:49:37 1994", 300), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
            ("Sun, 06 Nov 1994 08:44:37 GMT", nil), ("Sun, 06 Nov 1994 08:44:36 GMT", nil), ("", nil), ("-5", nil),
            ("0", nil), ("1.5.1994", nil), ("1793491200", nil), ("30 s", nil), ("+30", 30), ("٣", nil),
            ("now, please", nil),
        ])
    func date(text: String, seconds: Int?) {
        let fields = ["retry-after": text, "date": "Sun, 06 Nov 1994 08:44:37 GMT"]
        #expect(AnswerHead(status: 503, fields: fields).retryAfter == seconds)
    }

    @Test("A fetcher's patience understands a date by this machine's clock where the server tells none")
    func ownClock() {
        var (now, parts) = (time(nil) + 500, tm())
        gmtime_r(&now, &parts)
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            strftime(buffer.baseAddress!, 64, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(cString: buffer.baseAddress!)
        }
        let seconds = AnswerHead(status: 429, fields: ["retry-after": text]).retryAfter
        #expect(seconds.map { 490...500 ~= $0 } == true)
    }

    @Test(
        "A fetcher's patience takes a wish only from a server that refuses",
        arguments: [(200, nil), (403, 5), (404, nil), (429, 5), (500, 5)])
    func statuses(status: Int, seconds: Int?) {
        #expect(AnswerHead(status: status, fields: ["retry-after": "5"]).retryAfter == seconds)
    }

    @Test(
        "A fetcher's patience takes what is forbidden for a thing that passes where the server says for how long, and for no other",
        arguments: [("5", false), (nil, true), ("0", true)])
    func forbidden(requestedPause: String?, isPermanent: Bool) {
        let head = AnswerHead(status: 403, fields: requestedPause.map { ["retry-after": $0] } ?? [:])
        let error = FetchError.status(403, retryAfter: head.retryAfter)
        #expect(error.isPermanent == isPermanent)
        #expect(error.isAbsence == isPermanent)
    }

    @Test(
        "A fetcher's patience keeps other documents waiting, whatever of the upstream has asked for that",
        arguments: [true, false])
    func others(isFile: Bool) async throws {
        let server = try HTTPServer { request in
            if request.path == "/busy", request.attempt == 1 { return .html(503, retryAfter: "1") }
            return request.path == "/busy" ? .jpeg() : .text("there")
        }
        let fixture = try FetchFixture(server)
        let busy = Task {
            if isFile { _ = try await fixture.file("/busy") }
            if !isFile { _ = try await fixture.document("/busy") }
        }
        #expect(await eventually { fixture.fetcher.signs > 0 })
        _ = try await fixture.document("/other")
        try await busy.value
        let times = server.requests.map(\.time)
        try #require(times.count == 3)
        #expect(times[1] - times[0] >= .milliseconds(990) && times[2] - times[0] >= .milliseconds(990))
    }

    @Test("A fetcher's patience keeps no document waiting that another host has, from which a file was wanted")
    func otherHost() async throws {
        let pictures = try HTTPServer { _ in .html(503, retryAfter: "30") }
        let server = try HTTPServer { _ in .text("there") }
        let fixture = try FetchFixture(server)
        _ = try await fixture.document()
        let before = fixture.fetcher.signs
        let busy = Task { try await fixture.file("\(pictures.origin)/busy") }
        #expect(await eventually { fixture.fetcher.signs > before })
        let start = ContinuousClock.now
        _ = try await fixture.document()
        #expect(ContinuousClock.now - start < .seconds(20))
        busy.cancel()
        _ = await busy.result
    }

    @Test("A fetcher's patience grows from pause to pause")
    func growth() async throws {
        let server = try HTTPServer { _ in .html(500) }
        let fixture = try FetchFixture(server) {
            $0.pause = .milliseconds(40)
            $0.attempts = 4
        }
        let start = ContinuousClock.now
        _ = await reason { try await fixture.document() }
        // 40, 80 and 160 ms, each a quarter less at the least.
        #expect(ContinuousClock.now - start >= .milliseconds(210))
        #expect(server.requests.count == 4)
    }
}
