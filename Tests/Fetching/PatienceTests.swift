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

@Suite("A fetcher's manners")
struct MannersTests {
    @Test("keep a distance between requests for documents")
    func distance() async throws {
        let server = try HTTPServer { _ in .text("") }
        let distance = Duration.milliseconds(60)
        let bench = try Bench(server) { $0.distance = distance }
        let start = ContinuousClock.now
        await withTaskGroup { group in
            for number in 0..<6 {
                group.addTask { _ = try? await bench.fetcher.document(address("\(server.origin)/\(number)")) }
            }
        }
        let times = server.requests.map(\.time).sorted()
        try #require(times.count == 6)
        // However late the others come, this one cannot have left sooner.
        for (index, time) in times.enumerated() { #expect(time - start >= distance * index) }
    }

    @Test("keep it between attempts as well")
    func distanceOfAttempts() async throws {
        let server = try HTTPServer { $0.attempt < 3 ? .html(500) : .text("") }
        let bench = try Bench(server) { $0.distance = .milliseconds(150) }
        let start = ContinuousClock.now
        _ = try await bench.fetcher.document(address(server.origin))
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test("allow two documents at once")
    func twoAtOnce() async throws {
        let server = try HTTPServer { _ in Response(Body("x"), delay: .milliseconds(60)) }
        let bench = try Bench(server)
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask { _ = try? await bench.fetcher.document(address("\(server.origin)/\(number)")) }
            }
        }
        #expect(server.requests.count == 8)
        #expect(server.mostAtOnce == 2)
    }

    @Test("allow as many files at once as was said", arguments: [1, 3, 4])
    func files(connections: Int) async throws {
        let picture = Pictures.jpeg()
        let server = try HTTPServer { _ in
            var response = Response.media(picture, type: "image/jpeg")
            response.delay = .milliseconds(80)
            return response
        }
        let bench = try Bench(server) { $0.connections = connections }
        await withTaskGroup { group in
            for number in 0..<9 { group.addTask { _ = try? await bench.file("\(server.origin)/\(number).jpg") } }
        }
        #expect(server.requests.count == 9)
        #expect(server.mostAtOnce == connections)
        #expect(try bench.names.count == 9)
    }

    @Test("let a slot go on after a failure")
    func slots() async throws {
        let server = try HTTPServer { _ in .html(404) }
        let bench = try Bench(server) { $0.connections = 1 }
        for _ in 0..<5 {
            #expect(await reason { try await bench.file(server.origin) } == .status(404, retryAfter: nil))
            #expect(await reason { try await bench.fetcher.document(address(server.origin)) } != nil)
        }
    }
}
