import Glibc
import Testing

@testable import apod_mirror

struct PastTimeTests {
    @Test("A time that is written at the command line is one of a day, to its last second")
    func seconds() throws {
        let midnight = try PastTime.seconds("2026-11-20")
        for (clock, seconds) in [("00:00", 0), ("09:05", 32_700), ("23:59", 86_340), ("23:59:59", 86_399)] {
            #expect(try PastTime.seconds("2026-11-20 \(clock)") == midnight + seconds)
            #expect(try PastTime.seconds("2026-11-20T\(clock)") == midnight + seconds)
        }
        #expect(try PastTime.seconds("2026-11-20T23:59:59Z") == 1_795_219_199)
    }

    @Test("A time that is written at the command line is one of this place, in summer and in winter")
    func zone() async {
        await #expect(processExitsWith: .success) {
            // Summer until the end of June.
            setenv("TZ", "XXX-8YYY-9,J1/0,J181/0", 1)
            tzset()
            for (local, time) in [
                ("2026-02-01 12:00", "2026-02-01T03:00:00Z"), ("2026-11-01T12:00:30", "2026-11-01T04:00:30Z"),
                ("2026-02-01", "2026-01-31T15:00:00Z"),
            ] {
                let (seconds, expected) = (try PastTime.seconds(local), try PastTime.seconds(time))
                #expect(seconds == expected)
            }
        }
    }

    @Test(
        "A time that is written at the command line is none that no clock shows", arguments: ["", " ", "T", "x09:05"])
    func mistakes(between: String) {
        for clock in [
            "24:00", "23:60", "09:05:60", "9:05", "09:5", "09", "09:05:00:00", "-1:00", "09:05 ", "+9:05", "09:+5",
        ] {
            #expect(throws: Usage.Mistake.self, "\(clock)") { try PastTime.seconds("2026-11-20\(between)\(clock)") }
        }
        #expect(throws: Usage.Mistake.self) { try PastTime.seconds("2026-11-20T24:00:00Z") }
    }

    @Test(
        "A time that is written at the command line is so long ago",
        arguments: [("0m", 0), ("30m", 1_800), ("2h", 7_200), ("3d", 259_200)])
    func ages(word: String, seconds: Int) throws {
        let before = time(nil)
        #expect(before - seconds...time(nil) - seconds ~= (try PastTime.seconds(word)))
        for nonsense in ["x\(word)", "\(word) ", "\(word.dropLast())w", word + "m", "1.\(word)"] {
            #expect(throws: Usage.Mistake.self) { try PastTime.seconds(nonsense) }
        }
    }
}
