import Apod
import Testing

@testable import Service

struct PausedDaysTests {
    @Test("Days that are left alone for a while are so for an hour, and no longer when the clock is set back")
    func pause() {
        let (paused, day) = (PausedDays(), TestService.today)
        paused.add(day, at: 10_000)
        let moments = [9_999: false, 10_000: true, 13_599: true, 13_600: false]
        for (moment, isPaused) in moments { #expect(paused.contains(day, at: moment) == isPaused, "\(moment)") }
        #expect(!paused.contains(day.advanced(by: 1), at: 10_000))
    }
}
