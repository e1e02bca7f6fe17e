import Testing

@testable import Apod

struct TimeLeftTests {
    @Test(
        "The time that is left is told in steps that a person reads",
        arguments: [
            (0, "a minute"), (89, "a minute"), (90, "2 minutes"), (569, "9 minutes"), (570, "10 minutes"),
            (5_369, "90 minutes"), (5_370, "2 hours"), (8_970, "3 hours"),
            (129_569, "36 hours"), (129_570, "2 days"), (864_000, "10 days"),
        ])
    func words(seconds: Int, words: String) { #expect(TimeLeft.words(seconds) == "about \(words) left") }

    @Test("The time that is left counts down, and does not jump with each hour that goes a little faster or slower")
    func steady() {
        var left = TimeLeft()
        #expect(left.seconds(done: 10, left: 90, after: 100) == 900)
        for (done, after) in [(11, 110.0), (13, 110), (11, 130), (12, 140)] {
            #expect(left.seconds(done: done, left: 100 - done, after: after) == 900 - Int(after - 100), "\(done)")
        }
    }

    @Test("The time that is left is not told in the first ten seconds")
    func unknown() {
        var left = TimeLeft()
        for seconds in [0, 1, 9.9] { #expect(left.seconds(done: 10, left: 20, after: seconds) == nil) }
        #expect(left.seconds(done: 10, left: 20, after: 10) == 20)
    }

    @Test("The time that is left is told anew when it is far off, and when all that was told has passed")
    func anew() {
        var left = TimeLeft()
        #expect(left.seconds(done: 10, left: 90, after: 100) == 900)
        #expect(left.seconds(done: 50, left: 50, after: 150) == 150)
        #expect(left.seconds(done: 60, left: 40, after: 600) == 400)
        #expect(left.seconds(done: 0, left: 40, after: 600) == 24_000)
    }
}
