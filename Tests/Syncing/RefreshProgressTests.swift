import Apod
import Fetching
import Store
import TestMirror
import TestSupport
import Testing
import Upstream

@testable import Syncing

struct RefreshProgressTests {
    /// How many failures it takes to end it.
    private func failures(_ course: inout RefreshProgress) -> Int? {
        (1...1000).first { _ in
            course.began()
            course.ended(.unreachable(why: "no answer"))
            return course.error != nil
        }
    }

    private func end(_ course: inout RefreshProgress, _ outcome: DayOutcome) {
        course.began()
        course.ended(outcome)
    }

    @Test("A refresh ends after ten files in a row that cannot be had, or a hundred where one could")
    func inARow() {
        var (course, other) = (RefreshProgress(newest: nil), RefreshProgress(newest: nil))
        #expect(failures(&course) == 10 && course.error?.code == .files)
        end(&other, .done)
        #expect(failures(&other) == 100 && other.error?.code == .files)
    }

    @Test("A refresh ends at once where nobody can be reached")
    func unreachable() {
        let address = WebAddress("https://apod.example/records")!
        var course = RefreshProgress(newest: nil)
        course.questionFailed(Problem(.unreachable, "no route to host", at: address))
        #expect(course.error?.words == "apod.example: cannot be reached (no route to host)")
        // Once it has answered, it may be a moment.
        var other = RefreshProgress(newest: nil)
        other.heard(of: [])
        other.questionFailed(Problem(.unreachable, "no route to host", at: address))
        #expect(other.error == nil)
    }

    @Test("A refresh ends after two questions in a row without an answer")
    func questions() throws {
        let silence = Problem(.records, "not JSON", at: WebAddress("https://a.example/")!)
        var course = RefreshProgress(newest: nil)
        for _ in 1...3 {
            course.questionFailed(silence)
            #expect(course.error == nil)
            // An answer is one, though there may be no day in it.
            course.heard(of: [])
        }
        course.questionFailed(silence)
        #expect(course.error == nil)
        course.questionFailed(silence)
        #expect(course.error?.isOfNetwork == true)
    }

    @Test("A refresh knows the newest day, whichever answer came last")
    func newest() {
        var progress = RefreshProgress(newest: Day.first.advanced(by: 2))
        for (days, newest) in [([1], 2), ([5, 3], 5), ([4], 5), ([], 5)] {
            progress.heard(of: days.map { Day.first.advanced(by: $0) })
            #expect(progress.newest == Day.first.advanced(by: newest))
        }
    }

    @Test("A refresh goes on when something comes again")
    func again() {
        var course = RefreshProgress(newest: nil)
        end(&course, .done)
        for _ in 1...3 {
            for _ in 1...99 { end(&course, .unreachable(why: "no answer")) }
            #expect(course.error == nil)
            end(&course, .done)
        }
        for _ in 1...99 { end(&course, .unreachable(why: "no answer")) }
        // What says nothing of pictures is no sign that they can be had.
        end(&course, .idle)
        #expect(course.error == nil)
        end(&course, .unreachable(why: "no answer"))
        #expect(course.error?.code == .files && course.underway == 0)
    }
}
