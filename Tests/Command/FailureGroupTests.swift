import Apod
import TestSupport
import Testing

@testable import Catalog
@testable import apod_mirror

@Suite("Days that failed") struct FailureGroupTests {
    private func lines(_ failures: [(String, String)]) -> [String] {
        FailureGroup.groups(
            of: failures.map { .init(day: day($0), reason: $1, attempts: 1, hadView: false) }
        ).map(\.line)
    }

    @Test("are told together where one server gives one reason, and one alone with its address")
    func groups() {
        #expect(lines([]).isEmpty)
        let missing = "not there (404): https://apod.example/image/1.jpg"
        #expect(lines([("2026-11-20", missing)]) == ["2026-11-20  \(missing)"])
        #expect(
            lines([
                ("2026-11-20", "nothing came for 30 s: https://img.example/a.jpg"),
                ("2026-11-19", missing),
                ("2026-11-18", "nothing came for 30 s: https://img.example/b.jpg"),
                ("2026-11-17", "nothing came for 30 s: https://other.example/b.jpg"),
                ("2026-11-16", "nothing came for 60 s: https://img.example/b.jpg"),
                ("2026-11-15", "interrupted while it was replaced"),
                ("2003-01-02", "interrupted while it was replaced"),
            ]) == [
                "2026-11-20, 2026-11-18  nothing came for 30 s: img.example",
                "2026-11-19  \(missing)",
                "2026-11-17  nothing came for 30 s: https://other.example/b.jpg",
                "2026-11-16  nothing came for 60 s: https://img.example/b.jpg",
                "2026-11-15, 2003-01-02  interrupted while it was replaced",
            ])
    }

    @Test("are named as far as they are few, and told by their ends where they are all between")
    func names() {
        func line(_ distances: some Sequence<Int>) -> String? {
            let newest = day("2026-11-20")
            return lines(distances.map { ("\(newest.advanced(by: -$0))", "cut off") }).first
        }
        #expect(line(0..<40) == "40 days from 2026-10-12 to 2026-11-20  cut off")
        let six = "2026-11-20, 2026-11-18, 2026-11-16, 2026-11-14, 2026-11-12, 2026-11-10"
        #expect(line(stride(from: 0, to: 12, by: 2)) == "\(six)  cut off")
        #expect(line(stride(from: 0, to: 16, by: 2)) == "\(six) and 2 more  cut off")
    }
}
