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
                "2 days, 2026-11-18 to 2026-11-20  nothing came for 30 s: img.example",
                "2026-11-19  \(missing)",
                "2026-11-17  nothing came for 30 s: https://other.example/b.jpg",
                "2026-11-16  nothing came for 60 s: https://img.example/b.jpg",
                "2 days, 2003-01-02 to 2026-11-15  interrupted while it was replaced",
            ])
    }
}
