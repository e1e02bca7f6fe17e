import Apod
import Configuration
import Daemon
import Fetching
import TestSupport
import Testing

@Suite("What the service knows of hosts", .timeLimit(.minutes(10)))
struct KnownHostsTests {
    /// The newest day needs no picture: gaps before a day that is here are asked for as soon as the mirror is open.
    private let entries =
        Entry.days(2, newest: TestService.today.advanced(by: -1), bytes: 2_000) + [Entry(TestService.today, .text)]

    /// Until the days have been asked for after as many reloads.
    private func failed(_ testService: TestService, afterReloads count: Int) async throws {
        _ = try await testService.told.first { notices in
            let parts = notices.split(omittingEmptySubsequences: false) { $0.event == .reloaded }
            return parts.count > count && parts[count].count { $0.event == .failed } >= 2
        }
    }

    @Test("is known after a reload: who asked for an hour is not asked before that", arguments: [403, 429])
    func wish(status: Int) async throws {
        let pictures = try HTTPServer { _ in .html(status, retryAfter: "3600") }
        // The pictures are on a host of their own.
        let testService = try TestService(entries, pictures: pictures.origin)
        testService.start()
        try await failed(testService, afterReloads: 0)
        let asked = pictures.requests.count
        for count in 1...2 {
            testService.settings.recheckDays += 1
            testService.reload()
            try await failed(testService, afterReloads: count)
        }
        #expect(pictures.requests.count == asked)
        await testService.stop()
    }
}
