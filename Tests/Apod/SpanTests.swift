import Testing

@testable import Apod

struct SpanTests {
    @Test("A span is written as it is read", arguments: ["1d", "90d", "12m", "5y", "99999y"])
    func roundTrip(text: String) {
        #expect(Span(text)?.description == text)
    }

    @Test(
        "Any other text is no span",
        arguments: ["", "d", "0d", "-1d", "1", "1.5y", " 1d", "1 d", "1w", "1D", "100000d", "9999999999999999999d"])
    func nonsense(text: String) {
        #expect(Span(text) == nil)
    }

    @Test(
        "A span is counted back by the calendar",
        arguments: """
            2026-03-01 1d 2026-02-28, 2026-11-20 90d 2026-08-22, 2026-11-20 12m 2025-11-20, 2026-01-15 1m 2025-12-15, \
            2026-03-31 1m 2026-02-28, 2024-03-31 1m 2024-02-29, 2024-02-29 1y 2023-02-28, 2024-02-29 4y 2020-02-29, \
            2026-11-20 31y 1995-11-20, 2026-11-20 32y 1995-06-16, 1995-07-16 1m 1995-06-16, 1995-07-15 1m 1995-06-16, \
            1995-06-20 99999y 1995-06-16, 2094-12-31 99999d 1995-06-16
            """.split(separator: ", ").map(String.init))
    func before(row: String) throws {
        let words = row.split(separator: " ").map(String.init)
        #expect(try Day(words[0])!.before(#require(Span(words[1]))).description == words[2])
    }
}
