import Apod
import Archive
import Fetching
import Files
import Glibc
import TestMirror
import TestSupport
import Testing
import Upstream

@testable import Syncing

@Suite("A refresh that goes wrong")
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

    @Test("ends after ten files in a row that cannot be had, and where others could be had, after a hundred")
    func inARow() {
        var (course, other) = (RefreshProgress(newest: nil), RefreshProgress(newest: nil))
        #expect(failures(&course) == 10 && course.error?.kind == "files silent")
        end(&other, .done)
        #expect(failures(&other) == 100 && other.error?.kind == "files silent")
    }

    @Test("ends at once where it is this machine that has no room for a connection")
    func shortage() {
        let shortage = StorageError("connect to", "https://a.example", code: EMFILE)
        var course = RefreshProgress(newest: nil)
        course.heardNothing(.fetch(FetchFailure(WebAddress("https://a.example/")!, .disk(shortage))))
        guard case .archive(.storage(let reason))? = course.error, reason == shortage else {
            Issue.record("\(course.error as Any)")
            return
        }
    }

    @Test("ends at once where nobody can be reached")
    func unreachable() {
        let address = WebAddress("https://apod.example/records")!
        var course = RefreshProgress(newest: nil)
        course.heardNothing(.fetch(FetchFailure(address, .unreachable("no route to host"))))
        let words = "apod.example cannot be reached (no route to host); check that server, this machine's network"
        #expect(course.error?.description.hasPrefix(words) == true)
        course = RefreshProgress(newest: nil)
        let usual = WebAddress("https://science.nasa.gov/wp-json")!
        course.heardNothing(.fetch(FetchFailure(usual, .unreachable("its name is not found"))))
        let advice = "check this machine's network and clock"
        #expect(
            course.error?.description == "science.nasa.gov cannot be reached (its name is not found); \(advice)")
    }

    @Test("ends after two questions in a row that are not answered, however many are between two such rows")
    func questions() throws {
        let silence = UpstreamError.garbage(WebAddress("https://a.example/")!, "not JSON")
        var course = RefreshProgress(newest: nil)
        for _ in 1...3 {
            course.heardNothing(silence)
            #expect(course.error == nil)
            // An answer is one, though there may be no day in it.
            course.heard(of: [])
        }
        course.heardNothing(silence)
        #expect(course.error == nil)
        course.heardNothing(silence)
        #expect(course.error?.kind == "upstream silent")
    }

    @Test("knows the newest day that the upstream has, whichever answer came last")
    func newest() {
        var progress = RefreshProgress(newest: Day.first.advanced(by: 2))
        for (days, newest) in [([1], 2), ([5, 3], 5), ([4], 5), ([], 5)] {
            progress.heard(of: days.map { Day.first.advanced(by: $0) })
            #expect(progress.newest == Day.first.advanced(by: newest))
        }
    }

    @Test("goes on when something comes again")
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
        #expect(course.error?.kind == "files silent" && course.underway == 0)
    }
}
