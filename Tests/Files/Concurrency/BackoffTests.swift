import Files
import Testing

struct BackoffTests {
    @Test(
        "The pauses between attempts double up to the longest; a first one that is longer stays",
        arguments: [
            (1, 8, [1, 2, 4, 8, 8]), (3, 10, [3, 6, 10, 10]), (5, 5, [5, 5]), (7, 3, [7, 7]), (0, 5, [0, 0]),
        ])
    func growth(first: Int, longest: Int, pauses: [Int]) {
        var (whole, parts) = (
            Backoff(first, atMost: longest), Backoff(Duration.milliseconds(first), atMost: .milliseconds(longest))
        )
        for pause in pauses {
            #expect(whole.pause == pause && parts.pause == .milliseconds(pause))
            #expect(whole.next() == pause && parts.next() == .milliseconds(pause))
        }
    }

    @Test(
        "The pauses between attempts begin where so many attempts in vain have led",
        arguments: [
            (Int.min, 1), (0, 1), (1, 1), (2, 2), (5, 16), (6, 30), (64, 30), (65, 30), (.max, 30),
        ])
    func afterFailures(failures: Int, pause: Int) {
        #expect(Backoff(1, atMost: 30, after: failures).pause == pause)
    }

    @Test(
        "The pauses between attempts grow without being taken, and begin anew when it has gone well"
    )
    func reset() {
        var backoff = Backoff(2, atMost: 9, after: 2)
        #expect(backoff.pause == 4)
        backoff.grow()
        #expect(backoff.pause == 8)
        backoff.grow()
        #expect(backoff.next() == 9)
        backoff.reset()
        #expect([backoff.next(), backoff.next(), backoff.next()] == [2, 4, 8])
    }
}
