import Apod
import Archive
import Catalog
import Configuration
import Control
import Daemon
import Favorites
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite(.serialized)
struct WrongClockTests {
    private static let today = TestMirror.today
    /// 1970, 1994, the day before the first one, that day, the year behind the last one, 10000 and far beyond.
    private static let moments = [
        0, 757_382_400, 803_174_400, 803_260_800, 3_976_214_400, 253_402_300_800, 1 << 40,
    ]

    @Test(
        "A clock that is wrong does not stop a service that runs when it is set to such a moment",
        .timeLimit(.minutes(10)))
    func running() async throws {
        let testService = try TestService(days: 3)
        try await testService.start(until: .refreshed)
        for moment in Self.moments + Self.moments.reversed() {
            testService.time.set(moment)
            try await testService.time.awaited(from: moment + 1)
        }
        let tomorrow = Self.today.advanced(by: 1)
        testService.nasa.add(Entry(tomorrow, bytes: 2_000))
        testService.time.set(tomorrow.noon)
        try await testService.mirrored(tomorrow)
        #expect(try testService.days.count == 4)
        #expect(await testService.stop() == nil)
    }
}
