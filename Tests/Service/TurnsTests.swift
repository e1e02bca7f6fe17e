import Apod
import Testing

@testable import Service

@Suite("Wishes")
struct TurnsTests {
    private let now = ContinuousClock.now
    private func days(_ numbers: Int...) -> Set<Day> { Set(numbers.map { Day.first.advanced(by: $0) }) }

    @Test("are not asked for twice at a time")
    func underway() {
        var turns = Turns()
        #expect(turns.take(days(1, 2), at: now) == days(1, 2))
        #expect(turns.take(days(1, 2, 3), at: now) == days(3))
        #expect(turns.take(days(1, 2, 3), at: now + Turns.pause * 2) == [])
    }

    @Test("are asked for again after a pause")
    func again() {
        var turns = Turns()
        #expect(turns.take(days(1), at: now) == days(1))
        turns.end(days(1), resting: days(1), at: now + .seconds(1))
        #expect(turns.take(days(1), at: now + Turns.pause) == [])
        #expect(turns.take(days(1, 2), at: now + Turns.pause) == days(2))
        #expect(turns.take(days(1, 2), at: now + .seconds(1) + Turns.pause) == days(1))
    }

    @Test("that were fulfilled can be made again at once")
    func fulfilled() {
        var turns = Turns()
        #expect(turns.take(days(1, 2), at: now) == days(1, 2))
        turns.end(days(1, 2), resting: days(2), at: now)
        #expect(turns.take(days(1, 2), at: now) == days(1))
    }

    @Test("wait for one of the others to end when there are many")
    func most() {
        var turns = Turns()
        for number in 0..<Turns.mostBatches { #expect(turns.take(days(number), at: now) == days(number)) }
        #expect(turns.take(days(100, 101), at: now) == [])
        turns.end(days(0), resting: days(0), at: now)
        #expect(turns.take(days(0, 100, 101), at: now) == days(100, 101))
    }
}
