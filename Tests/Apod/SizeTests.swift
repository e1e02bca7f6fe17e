import Apod
import Testing

struct SizeTests {
    @Test(
        "A size is read with its unit, or is none",
        arguments: [
            ("0", 0), ("999 bytes", 999), ("1B", 1), (" 50   gB ", 50_000_000_000), ("50 gib", 53_687_091_200),
            ("50Gi", 53_687_091_200), ("0.5KiB", 512),
            ("1.0001K", 1000), ("0.0001K", 0),
            ("9223372036854775807", .max), ("9223372.036854775807T", .max),
        ]
            + [
                "M", "1P", "1e3", "9223372036854775808", "9223372.036854775808T", "1.5", "1.", ".5G", "1.-5G",
                "1.0000000000000000001G", "5iB", "٥G", "5G\u{301}",
            ].map { ($0, nil) } as [(String, Int?)])
    func read(text: String, bytes: Int?) { #expect(Size.bytes(text) == bytes) }

    @Test(
        "A size is shown in short as it is read, and in words to a tenth",
        arguments: [
            (0, "0", "0 bytes"), (1, "1", "1 byte"), (999, "999", "999 bytes"), (1500, "1500", "1.5 KB"),
            (99_951, "99951", "100 KB"), (999_500, "999500", "1.0 MB"), (2_000_000_000_000, "2T", "2000 GB"),
            (7_100_000_000, "7100M", "7.1 GB"),
            (53_687_091_200, "50GiB", "53.7 GB"), (.max, "9223372036854775807", "9223372037 GB"),
        ])
    func shown(bytes: Int, short: String, text: String) {
        #expect(Size.short(bytes) == short && Size.bytes(short) == bytes && Size.text(bytes) == text)
    }

    @Test(
        "A span is counted back by the calendar",
        arguments: """
            2026-11-20 90d 2026-08-22, 2026-01-15 1m 2025-12-15, 2026-03-31 1m 2026-02-28, \
            2024-03-31 1m 2024-02-29, 2024-02-29 1y 2023-02-28, 2026-11-20 32y 1995-06-16, \
            1995-07-15 1m 1995-06-16, 1995-06-20 99999y 1995-06-16, \
            2094-12-31 99999d 1995-06-16
            """.split(separator: ", ").map(String.init))
    func span(row: String) throws {
        let words = row.split(separator: " ").map(String.init)
        let span = try #require(Span(words[1]))
        #expect("\(Day(words[0])!.before(span))" == words[2] && "\(span)" == words[1])
        for text in ["d", "-1d", "1 d", "1D"] {
            #expect(Span(text) == nil)
        }
    }

    @Test(
        "The time that is left is told in steps that a person reads",
        arguments: [
            (89, "a minute"), (570, "10 minutes"), (5_369, "90 minutes"), (129_569, "36 hours"), (129_570, "2 days"),
        ])
    func words(seconds: Int, words: String) { #expect(TimeLeft.words(seconds) == "about \(words) left") }

    @Test("The time that is left counts down from the tenth second on, and changes only when it is far off")
    func timeLeft() {
        var (left, young) = (TimeLeft(), TimeLeft())
        for seconds in [0, 9.9] { #expect(young.seconds(done: 10, left: 20, after: seconds) == nil) }
        #expect(young.seconds(done: 10, left: 20, after: 10) == 20)
        for (done, after, seconds) in [
            (10, 100, 900), (11, 110.0, 890), (13, 110, 890), (11, 130, 870), (12, 140, 860), (50, 150, 150),
            (60, 600, 400),
        ] { #expect(left.seconds(done: done, left: 100 - done, after: after) == seconds, "\(done)") }
        #expect(left.seconds(done: 0, left: 40, after: 600) == 24_000)
    }
}
