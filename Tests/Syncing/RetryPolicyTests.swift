import Apod
import Testing

@testable import Catalog
@testable import Syncing

@Suite("What was not there")
struct RetryPolicyTests {
    private let now = Day("2026-11-20")!.noon

    @Test("is left alone for a day, two, four, … and a month at most")
    func pauses() {
        #expect((0...8).map { RetryPolicy.seconds(after: $0) / 86_400 } == [1, 1, 2, 4, 8, 16, 30, 30, 30])
    }

    /// The pauses after one failure after the other, in days; nil: none.
    private func failures(of day: Day, isPassing: Bool = false) -> [Int?] {
        var status: DayStatus?
        return (1...6).map { _ in
            let next = DayStatus.failed(day, after: status, why: "x", isPassing: isPassing, at: now)
            status = next
            return next.retryAfter.map { ($0 - now) / 86_400 }
        }
    }

    @Test("is tried twice more at once, unless it passes by itself or has just begun")
    func hope() {
        let today = Day(utc: now)
        #expect(failures(of: today.advanced(by: -2)) == [nil, nil, 1, 2, 4, 8])
        for day in [today, today.advanced(by: -1)] { #expect(failures(of: day).allSatisfy { $0 == nil }) }
        #expect(failures(of: today.advanced(by: -2), isPassing: true).allSatisfy { $0 == nil })
    }
}
