import Apod
import TestSupport
import Testing

@testable import Store

struct SearchTests {
    private static let days: [(Int, String, String)] = [
        (1, "Orion Rising", "The hunter stands above the hills."),
        (2, "The Hunter", "A constellation, also called Orion, with its nebulae."),
        (3, "Ørsted's Café at Night", "Light pollution near the naïve observer's Curaçao."),
        (4, "AND OR NOT", "The operators themselves: NEAR a star* (or two) \"quoted\"."),
        (5, "Nebula in a Nebula", "Nebula, nebula, nebula."), (6, "Dust", "Only dust."), (7, "Dust", "Only dust."),
    ]

    /// Filled once: the tests only look into it. Its files are gone from the folder by then, but open.
    private static let filled = Task {
        let fixture = try ArchiveFixture()
        for (number, title, text) in days { try await fixture.add(november(number), title, text) }
        return try fixture.openCatalog
    }

    private func find(_ words: [String], limit: Int = 9) async throws -> [Int] {
        try await Self.filled.value.search(words, limit: limit).map(\.name.day.day)
    }

    /// By their beginnings and in other forms, without accents; titles before texts, then the newest first.
    @Test(
        "A search finds all words in title or text, and the best days first",
        arguments: [
            (["constel"], [2]), (["HILL"], [1]), (["hunt", "orion"], []), (["orion", "cafe"], []), (["orion"], [1, 2]),
            (["hunter"], [2, 1]), (["nebulae"], [5, 2]), (["cafe"], [3]), (["Cafe\u{301}"], [3]),
            (["curacao", "naive"], [3]), (["AND", "OR", "NOT"], [4]), (["near"], [4, 3]), (["dust"], [7, 6]), ([], []),
        ])
    func words(words: [String], expected: [Int]) async throws {
        #expect(try await find(words) == expected)
        #expect(try await find(words, limit: 1) == Array(expected.prefix(1)))
    }

    @Test(
        "A search takes quotes and operators for text",
        arguments: [
            "\"", "*", "AND", "a AND", "NEAR(", "NEAR/2", "title:orion", "-orion", "^orion", "{title}", "+", "",
            "'; DROP TABLE day; --", "\\", "\u{1}", "🚀", "\u{d4e}\"", "a\"\u{301} OR b",
            String(repeating: "long ", count: 20_000),
        ])
    func operators(word: String) async throws {
        for words in [[word], ["orion", word], [word, "orion"]] { _ = try await find(words) }
    }

    @Test("A search tells which file to open and where in the text the words are")
    func findings() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(
            november(1), "Orion Rising", "The hunter stands.", film)
        try await fixture.add(november(2), "Words", "A hunter, too.", [])
        let findings = try fixture.openCatalog.search(["hunter"], limit: 9).sorted { $0.name.day < $1.name.day }
        #expect(findings.map(\.path) == ["2026/11/2026-11-01 Orion Rising.mp4", "2026/11/2026-11-02 Words.json"])
        #expect(findings[0].title == "Orion Rising" && findings[0].excerpt == "The \u{2}hunter\u{3} stands.")
    }
}
