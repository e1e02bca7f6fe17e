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
@Suite(.serialized, .timeLimit(.minutes(10)))
struct UnreachableTests {
    private let today = TestService.today

    @Test("A server of pictures that cannot be reached is tried at once when a person asks")
    func person() async throws {
        // It is gone as soon as it has its number.
        let port = try HTTPServer { _ in .text("") }.port
        let testService = try TestService(days: 1)
        testService.nasa.intercept = { request in
            request.path.hasPrefix("/content/") ? .redirect(to: "http://127.0.0.1:\(port)\(request.path)") : nil
        }
        try await testService.start(until: .failed, "cannot be reached (connection refused)")
        try await testService.told(.watching)
        let server = try HTTPServer(port: port) { _ in .media(Pictures.jpeg(), type: "image/jpeg") }
        try await testService.sync(SyncOrder(days: [today]))
        try await testService.mirrored(today)
        #expect(server.requests.count == 1)
        await testService.stop()
    }
}
