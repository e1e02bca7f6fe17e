import Apod
import Configuration
import Glibc
import Service
import TestMirror
import TestSupport
import Testing

@Suite(.patience)
struct SidecarUpdatesTests {
    private let today = TestService.today

    private func sidecars(_ testService: TestService) -> [String] {
        listing(testService["2026"]).filter { $0.hasSuffix(".xmp") }
    }

    private func isRated(_ testService: TestService, _ day: Day) -> Bool {
        guard let name = sidecars(testService).first(where: { $0.contains("\(day)") }) else { return false }
        return (try? fileText(testService["2026/\(name)"]))?.contains("Rating>5<") == true
    }

    @Test("A service's sidecars and links follow days, favorites and folders, also without a gallery")
    func updates() async throws {
        let testService = try TestService(days: 3) { $0.sidecars = .yes }
        testService.start()
        try await testService.eventually { sidecars(testService).count == 3 }
        symlink("\(today)", testService["favorites/x"])
        try await testService.eventually { isRated(testService, today) }
        unlink(testService["favorites/x"])
        try await testService.eventually { !isRated(testService, today) }
        for folder in ["search", "search/apod:", "search/2026"] {
            mkdir(testService[folder], 0o755)
            try await testService.eventually { folder == "search" || listing(testService[folder]).count == 3 }
        }
        let tomorrow = today.advanced(by: 1)
        testService.publish(Entry(tomorrow, bytes: 2_000))
        try await testService.eventually { sidecars(testService).count == 4 }
        try await testService.eventually { listing(testService["search/2026"]).count == 4 }
        await testService.stop()
    }
}
