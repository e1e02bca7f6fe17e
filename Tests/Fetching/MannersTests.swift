import Apod
import TestSupport
import Testing

@testable import Fetching

struct MannersTests {
    @Test("A fetcher's manners keep a distance between requests for documents")
    func distance() async throws {
        let server = try HTTPServer { _ in .text("") }
        let distance = Duration.milliseconds(60)
        let fixture = try FetchFixture(server) { $0.distance = distance }
        let start = ContinuousClock.now
        await withTaskGroup { group in
            for number in 0..<6 {
                group.addTask { _ = try? await fixture.document("/\(number)") }
            }
        }
        let times = server.requests.map(\.time).sorted()
        try #require(times.count == 6)
        // However late the others come, this one cannot have left sooner.
        for (index, time) in times.enumerated() { #expect(time - start >= distance * index) }
    }

    @Test("A fetcher's manners keep it between attempts as well")
    func distanceOfAttempts() async throws {
        let server = try HTTPServer { $0.attempt < 3 ? .html(500) : .text("") }
        let fixture = try FetchFixture(server) { $0.distance = .milliseconds(150) }
        let start = ContinuousClock.now
        _ = try await fixture.document()
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test("A fetcher's manners allow two documents at once")
    func twoAtOnce() async throws {
        let server = try Self.server()
        let fixture = try FetchFixture(server)
        try await check(server, mostAtOnce: 2) { path in
            _ = try? await fixture.document(path)
        }
    }

    @Test("A fetcher's manners allow as many files at once as was said", arguments: [1, 3, 4])
    func files(connections: Int) async throws {
        let server = try Self.server()
        let fixture = try FetchFixture(server) { $0.connections = connections }
        // Documents have places of their own, and leave none to files.
        for number in 0..<5 { _ = try await fixture.document("/document \(number)") }
        try await check(server, mostAtOnce: connections) { path in _ = try? await fixture.file(path) }
        #expect(fixture.fetcher.received == 9 * 2_000)
    }

    private static func server() throws -> HTTPServer {
        let picture = Pictures.jpeg()
        return try HTTPServer { request in
            if request.path.hasPrefix("/hang") { return .hanging }
            var response = Response.jpeg(picture)
            response.delay = .milliseconds(30)
            return response
        }
    }

    /// First as many as may be, all of which hang; then, those cancelled, more than may be.
    private func check(
        _ server: HTTPServer, mostAtOnce: Int, _ fetch: @escaping @Sendable (String) async -> Void
    ) async throws {
        let hanging = Task {
            await withTaskGroup { group in
                for number in 0..<mostAtOnce { group.addTask { await fetch("/hang/\(number)") } }
            }
        }
        #expect(await eventually { server.mostAtOnce == mostAtOnce })
        hanging.cancel()
        await hanging.value
        #expect(await everybodyLeft(server))
        await withTaskGroup { group in
            for number in 0..<9 { group.addTask { await fetch("/\(number)") } }
        }
        #expect(server.requests.count { !$0.path.hasPrefix("/hang") } == 9)
        #expect(server.mostAtOnce <= mostAtOnce)
    }
}
