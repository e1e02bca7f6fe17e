import Apod
import TestSupport
import Testing

@testable import Fetching

@Suite("A fetcher's patience")
struct PatienceTests {
    @Test("honours the server's wish to be left alone", arguments: [429, 503])
    func retryAfter(status: Int) async throws {
        let server = try HTTPServer { $0.attempt == 1 ? .html(status, retryAfter: "1") : .text("now") }
        let bench = try Bench(server)
        #expect(try await bench.fetcher.document(address(server.origin)).bytes == Array("now".utf8))
        let times = server.requests.map(\.time)
        try #require(times.count == 2)
        #expect(times[1] - times[0] >= .milliseconds(990))
    }

    @Test("ends at once when the server wishes for too much", arguments: ["61", "3600", "9223372036854775807"])
    func tooLong(seconds: String) async throws {
        let server = try HTTPServer { _ in .html(429, retryAfter: seconds) }
        let bench = try Bench(server)
        let reason = await reason { try await bench.fetcher.document(address(server.origin)) }
        #expect(reason == .status(429, retryAfter: Int(seconds)))
        #expect("\(reason!)" == "the server answered 429 and asks to wait \(seconds) s")
        #expect(server.requests.count == 1)
    }

    @Test("is its own where the server's wish makes no sense", arguments: ["", "-5", "soon", "0", "1.5.1994"])
    func nonsense(wish: String) async throws {
        let server = try HTTPServer { $0.attempt == 1 ? .html(429, retryAfter: wish) : .text("now") }
        let bench = try Bench(server)
        #expect(try await bench.fetcher.document(address(server.origin)).bytes == Array("now".utf8))
    }

    @Test("understands a date")
    func date() async throws {
        let server = try HTTPServer { _ in .html(503, retryAfter: "Fri, 31 Dec 2099 23:59:59 GMT") }
        let bench = try Bench(server)
        let reason = await reason { try await bench.fetcher.document(address(server.origin)) }
        guard case .status(503, let wait?) = reason else { return #expect(reason == nil) }
        #expect(wait > 86_400)
        #expect(server.requests.count == 1)
    }

    @Test("covers files too")
    func files() async throws {
        let picture = Pictures.jpeg()
        let server = try HTTPServer { $0.attempt == 1 ? .html(502) : .media(picture, type: "image/jpeg") }
        let bench = try Bench(server)
        #expect(try await bench.file(server.origin).contents() == picture.bytes)
        #expect(server.requests.count == 2)
    }

    @Test("grows from pause to pause")
    func growth() async throws {
        let server = try HTTPServer { _ in .html(500) }
        let bench = try Bench(server) {
            $0.pause = .milliseconds(40)
            $0.attempts = 4
        }
        let start = ContinuousClock.now
        _ = await reason { try await bench.fetcher.document(address(server.origin)) }
        // 40, 80 and 160 ms, each a quarter less at the least.
        #expect(ContinuousClock.now - start >= .milliseconds(210))
        #expect(server.requests.count == 4)
    }
}
