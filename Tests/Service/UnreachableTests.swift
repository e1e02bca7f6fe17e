import Apod
import Archive
import Files
import Service
import TestSupport
import Testing

/// A day's still is at a video site of its own, as with most embedded videos.
@Suite("A server of pictures that cannot be reached", .serialized, .timeLimit(.minutes(1)))
struct UnreachableTests {
    private let today = Outpost.today

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
    private func outpost(days: Int, _ site: Site, of chosen: @escaping @Sendable (Request) -> Bool) throws -> Outpost {
        let outpost = try Outpost(days: days)
        outpost.nasa.intercept = { [origin = site.origin] request in
            Self.isPicture(request) && chosen(request) ? .redirect(to: origin + request.path) : nil
        }
        return outpost
    }

    @Test("costs its own days a moment, and no other anything")
    func others() async throws {
        let site = try Site()
        let outpost = try outpost(days: 60, site) { $0.path.contains("0_2048") || $0.path.contains("5_2048") }
        let start = ContinuousClock.now
        outpost.start()
        try await outpost.told(.backfilled)
        let summary = try outpost.catalog().summary()
        #expect(summary.failed.count == 12 && summary.pictures == 48)
        #expect(summary.failed.allSatisfy { $0.reason.contains("Failed to connect") })
        #expect(try outpost.catalog().failed(at: outpost.time.now).count == 12)
        #expect(ContinuousClock.now - start < .seconds(10))
        await outpost.stop()
    }

    @Test("is tried at once when a person asks")
    func person() async throws {
        let site = try Site()
        let outpost = try outpost(days: 1, site) { _ in true }
        outpost.start()
        try await outpost.told(.failed, "Failed to connect")
        try await outpost.told(.watching)
        let server = try site.open()
        let service = try #require(try ControlClient.reach(root: outpost.root))
        let order = SyncOrder(days: [today])
        try await blocking { () throws(ControlFailure) in try service.ask(.sync(order)) { _ in } }
        try await outpost.mirrored(today)
        #expect(server.requests.count == 1)
        await outpost.stop()
    }
}
