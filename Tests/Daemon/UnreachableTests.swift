import Apod
import Catalog
import Concurrency
import Control
import Daemon
import Syncing
import TestMirror
import TestSupport
import Testing

/// A day's still is at a video site of its own, as with most embedded videos.
@Suite("A server of pictures that cannot be reached", .serialized, .timeLimit(.minutes(1)))
struct UnreachableTests {
    private let today = TestService.today

    /// Answers only once it is back.
    private final class Site: Sendable {
        let port: Int
        init() throws { port = try HTTPServer { _ in .text("") }.port }
        var origin: String { "http://127.0.0.1:\(port)" }
        func open() throws -> HTTPServer {
            try HTTPServer(port: port) { _ in .media(Pictures.jpeg(), type: "image/jpeg") }
        }
    }

    private static func isPicture(_ request: Request) -> Bool { request.path.hasPrefix("/content/") }

    /// Pictures lead to the site.
    private func testService(days: Int, _ site: Site, of chosen: @escaping @Sendable (Request) -> Bool) throws
        -> TestService
    {
        let testService = try TestService(days: days)
        testService.nasa.intercept = { [origin = site.origin] request in
            Self.isPicture(request) && chosen(request) ? .redirect(to: origin + request.path) : nil
        }
        return testService
    }

    @Test("costs its own days a moment, and no other anything")
    func others() async throws {
        let site = try Site()
        let testService = try testService(days: 60, site) { $0.path.contains("0_2048") || $0.path.contains("5_2048") }
        let start = ContinuousClock.now
        testService.start()
        try await testService.told(.backfilled)
        let summary = try testService.catalog().summary()
        #expect(summary.failed.count == 12 && summary.pictures == 48)
        #expect(summary.failed.allSatisfy { $0.failure.words == "cannot be reached (connection refused)" })
        #expect(try testService.catalog().failed(at: testService.time.now).count == 12)
        #expect(ContinuousClock.now - start < .seconds(10))
        await testService.stop()
    }

    @Test("is tried at once when a person asks")
    func person() async throws {
        let site = try Site()
        let testService = try testService(days: 1, site) { _ in true }
        testService.start()
        try await testService.told(.failed, "cannot be reached (connection refused)")
        try await testService.told(.watching)
        let server = try site.open()
        let service = try #require(try ControlClient.reach(root: testService.root))
        let order = SyncOrder(days: [today])
        try await blocking { () throws(ControlError) in try service.ask(.job(.sync(order))) { _ in } }
        try await testService.mirrored(today)
        #expect(server.requests.count == 1)
        await testService.stop()
    }
}
