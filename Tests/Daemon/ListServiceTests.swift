import Apod
import Configuration
import Control
import Daemon
import Synchronization
import TestMirror
import TestSupport
import Testing

@Suite("Other lists in the service") struct ListServiceTests {
    private let server: HTTPServer
    private let isUp: Awaited<Bool>

    init() throws {
        let isUp = Awaited(true)
        self.isUp = isUp
        server = try HTTPServer { request in
            if request.path == "/cats/1.jpg" { return .media(Pictures.jpeg(), type: "image/jpeg") }
            return isUp.value
                ? .json("[{\"id\": 1, \"name\": \"Mittens\", \"photo_url\": \"/cats/1.jpg\"}]") : .html(404)
        }
    }

    private func service() throws -> TestService {
        try TestService(days: 2) { settings in
            settings.lists = [
                PictureList(name: ListName("cats")!, address: WebAddress("\(server.origin)/cats.json")!)
            ]
        }
    }

    private var questions: Int { server.requests.count { $0.path == "/cats.json" } }

    @Test("come once a day, and again after a restart only when that is over")
    func daily() async throws {
        let testService = try service()
        let start = testService.time.now
        try await testService.start(until: .mirrored, "cats: Mittens")
        try await testService.time.awaited(exactly: start + 86_400 - 1800)
        await testService.stop()
        testService.time.set(start + 80_000)
        testService.start()
        try await testService.time.awaited(exactly: start + 86_400 - 1800)
        #expect(questions == 1)
        testService.time.set(start + 86_400 - 1800)
        try await testService.time.awaited(exactly: start + 2 * (86_400 - 1800))
        #expect(questions == 2)
        #expect(testService.status?.conditions.isEmpty == true)
        await testService.stop()
    }

    @Test("are asked for at once when their settings are others, though a pause goes on")
    func otherSettings() async throws {
        isUp.update { $0 = false }
        let testService = try service()
        try await testService.start(until: .refreshFailed, "cats: ")
        try await testService.time.awaited(from: testService.time.now + 3600)
        await testService.stop()
        isUp.update { $0 = true }
        testService.settings.lists[0].rules[.title] = FieldRule("name")
        try await testService.start(until: .mirrored, "cats: Mittens")
        await testService.stop()
    }

    @Test("are asked for after growing pauses while they fail, which is a condition after three days")
    func silence() async throws {
        isUp.update { $0 = false }
        let testService = try service()
        let start = testService.time.now
        try await testService.start(until: .refreshFailed, "cats: ")
        var asked = start
        for pause in [3600, 3600, 7200, 14_400, 28_800, 57_600, 84_600, 84_600] {
            try await testService.time.awaited(exactly: asked + pause)
            asked += pause
            testService.time.set(asked)
        }
        try await testService.time.awaited(from: asked + 84_600)
        let report = try StatusReport(
            testService.settings, testService.catalog, testService.log, at: testService.time.now)
        let silent = report.conditions.contains { condition in
            if case .listSilent(_, start, _) = condition { true } else { false }
        }
        #expect(silent)
        var others = testService.settings
        others.lists = []
        let without = try StatusReport(others, testService.catalog, testService.log, at: testService.time.now)
        #expect(without.conditions.isEmpty && without.lists.count == 1)
        isUp.update { $0 = true }
        testService.time.set(asked + 84_600)
        try await testService.told(.mirrored, "cats: Mittens")
        await testService.stop()
    }
}
