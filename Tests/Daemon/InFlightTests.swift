import Apod
import Catalog
import Testing

@testable import Daemon

@Suite("Wishes")
struct InFlightTests {
    private let now = ContinuousClock.now
    private func days(_ numbers: Int...) -> Set<Day> { Set(numbers.map { Day.first.advanced(by: $0) }) }

    @Test("are not asked for twice at a time")
    func underway() {
        var inFlight = InFlight()
        #expect(inFlight.take(days(1, 2), at: now) == days(1, 2))
        #expect(inFlight.take(days(1, 2, 3), at: now) == days(3))
        #expect(inFlight.take(days(1, 2, 3), at: now + RetryPolicy.favoritePause * 2) == [])
    }

    @Test("are asked for again after a pause")
    func again() {
        var inFlight = InFlight()
        #expect(inFlight.take(days(1), at: now) == days(1))
        inFlight.end(days(1), paused: days(1), at: now + .seconds(1))
        #expect(inFlight.take(days(1), at: now + RetryPolicy.favoritePause) == [])
        #expect(inFlight.take(days(1, 2), at: now + RetryPolicy.favoritePause) == days(2))
        let later = now + .seconds(1) + RetryPolicy.favoritePause
        #expect(inFlight.take(days(1, 2), at: later) == days(1))
        // What was fulfilled, at once.
        inFlight.end(days(1, 2), paused: days(2), at: later)
        #expect(inFlight.take(days(1, 2), at: later) == days(1))
    }

    @Test("wait for one of the others to end when there are many")
    func most() {
        var inFlight = InFlight()
        for number in 0..<InFlight.mostBatches { #expect(inFlight.take(days(number), at: now) == days(number)) }
        #expect(inFlight.take(days(100, 101), at: now) == [])
        inFlight.end(days(0), paused: days(0), at: now)
        #expect(inFlight.take(days(0, 100, 101), at: now) == days(100, 101))
    }
}
