import Apod
import TestSupport
import Testing

@testable import Fetching

struct CancellationTests {
    private static let picture = Pictures.jpeg(bytes: 3_000_000)

    /// So patient that nothing ends by itself while the tests last.
    private func patient(_ settings: inout FetchSettings) {
        settings.stallSeconds = 120
        settings.pause = .seconds(120)
        settings.longestPause = .seconds(600)
        settings.connections = 1
    }

    /// Cancels what is under way as soon as it has come so far, and measures how long it takes to end.
    private func cancel(
        _ work: @escaping @Sendable () async throws -> Void, when arrived: () async throws -> Bool
    ) async throws {
        let task = Task { await reason(work) }
        #expect(try await arrived())
        let start = ContinuousClock.now
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test("Cancellation is prompt while the server hangs", arguments: [true, false])
    func hanging(isFile: Bool) async throws {
        let server = try HTTPServer { _ in .hanging }
        let fixture = try FetchFixture(server, patient)
        try await cancel {
            if isFile { _ = try await fixture.file() }
            _ = try await fixture.document()
        } when: {
            try await server.request { $0.path == "/" }.attempt == 1
        }
        #expect(server.requests.count == 1)
    }

    @Test("Cancellation is prompt while an attempt is waited for", arguments: ["300", nil])
    func waiting(retryAfter: String?) async throws {
        let server = try HTTPServer { _ in .html(503, retryAfter: retryAfter) }
        let fixture = try FetchFixture(server, patient)
        try await cancel {
            _ = try await fixture.document()
        } when: {
            try await server.request { $0.path == "/" }.attempt == 1
        }
        #expect(server.requests.count == 1)
    }

    @Test("Cancellation is prompt while a document waits for its turn")
    func turn() async throws {
        let server = try HTTPServer { _ in .text("") }
        let fixture = try FetchFixture(server) { $0.distance = .seconds(120) }
        _ = try await fixture.document()
        try await cancel {
            _ = try await fixture.document()
        } when: {
            true
        }
        #expect(server.requests.count == 1)
    }

    @Test("Cancellation is prompt while a file waits for its place")
    func place() async throws {
        let server = try HTTPServer { _ in .hanging }
        let fixture = try FetchFixture(server) {
            patient(&$0)
            $0.stallSeconds = 40
        }
        let first = Task { await fixture.failure("/first") }
        try await server.request { $0.path == "/first" }
        try await cancel {
            _ = try await fixture.file("/second")
        } when: {
            try await eventually { try fixture.names.count == 2 }
        }
        #expect(server.requests.count == 1)
        first.cancel()
        #expect(await first.value == .cancelled)
    }

    @Test("Cancellation leaves what has come, to be gone on with")
    func resumable() async throws {
        let server = try HTTPServer {
            .jpeg(Self.picture, tag: "a", ending: $0.attempt == 1 ? .stall(after: 1_600_000) : .whole)
        }
        let fixture = try FetchFixture(server, patient)
        try await cancel {
            _ = try await fixture.file()
        } when: {
            await eventually { fixture.fetcher.received == 1_600_000 }
        }
        let name = try #require(try fixture.names.first)
        #expect(try fixture.names == [name, name + ".note"])
        let fetched = try await fixture.again(server).file()
        #expect(try fetched.contents() == Self.picture.bytes)
        #expect(server.requests.last?.headers["range"] == "bytes=1600000-")
        #expect(try fixture.names == [name, name + ".note"])
    }

    @Test("Cancellation before the beginning asks the server nothing")
    func before() async throws {
        let server = try HTTPServer { _ in .text("") }
        let fixture = try FetchFixture(server)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let document = await reason { try await fixture.document() }
            let file = await fixture.failure()
            return [document, file]
        }
        #expect(await task.value == [.cancelled, .cancelled])
        #expect(server.requests.isEmpty)
    }

    @Test("Cancellation of one leaves the others alone")
    func others() async throws {
        let server = try HTTPServer { $0.path == "/hang" ? .hanging : .jpeg(Self.picture) }
        let fixture = try FetchFixture(server) { $0.stallSeconds = 120 }
        try await cancel {
            _ = try await fixture.file("/hang")
        } when: {
            try await server.request { $0.path == "/hang" }
            return try await fixture.file("/a").facts.bytes == 3_000_000
        }
        #expect(try await fixture.file("/b").facts.bytes == 3_000_000)
    }

    @Test("Cancellation at any moment ends what it cancels, and nothing twice", arguments: [0, 4, 9])
    func anyMoment(round: Int) async throws {
        let server = try HTTPServer { _ in .jpeg(Self.picture, tag: "a") }
        let fixture = try FetchFixture(server)
        let task = Task { await fixture.failure() }
        #expect(await eventually { fixture.fetcher.received >= round * 300_000 })
        task.cancel()
        #expect([nil, .cancelled].contains(await task.value))
        #expect(try await fixture.again(server).file().contents() == Self.picture.bytes)
    }
}
