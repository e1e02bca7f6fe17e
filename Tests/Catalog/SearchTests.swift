import Apod
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

struct SearchTests {
    private static let days: [(String, String, String)] = [
        ("2026-11-01", "Orion Rising", "The hunter stands above the hills."),
        ("2026-11-02", "The Hunter", "A constellation, also called Orion, with its nebulae."),
        ("2026-11-03", "Ørsted's Café at Night", "Light pollution near the naïve observer's Curaçao."),
        ("2026-11-04", "AND OR NOT", "The operators themselves: NEAR a star* (or two) \"quoted\"."),
        ("2026-11-05", "Nebula in a Nebula", "Nebula, nebula, nebula."),
    ]

    /// Filled once: the tests only look into it. Its files are gone from the folder by then, but open.
    private static let filled = Task {
        let fixture = try ArchiveFixture()
        for (date, title, text) in days { try await fixture.add(day(date), title, text) }
        return try fixture.openCatalog
    }

    private func find(_ words: String..., limit: Int = 9) async throws -> [String] {
        try await Self.filled.value.search(words, limit: limit).map { String("\($0.name.day)".suffix(2)) }
    }

    @Test("A search finds all words, in title or text, also by their beginnings and in other forms")
    func words() async throws {
        #expect(try await find("hunter", "orion").sorted() == ["01", "02"])
        #expect(try await find("orion", "cafe") == [])
        #expect(try await find("constel") == ["02"])
        #expect(try await find("HILL") == ["01"])
        #expect(try await find("nebulae").sorted() == ["02", "05"])
        #expect(try await find("hunt", "orion") == [])
    }

    @Test("A search puts newer days before older ones that are as good")
    func newest() async throws {
        let fixture = try ArchiveFixture()
        for date in ["2026-11-02", "2026-11-03", "2026-11-01"] {
            try await fixture.add(day(date), "Dust", "Only dust.")
        }
        let found = try fixture.openCatalog.search(["dust"], limit: 2)
        #expect(found.map(\.name.day) == [november(3), november(2)])
    }

    @Test("A search puts titles before text")
    func ranking() async throws {
        #expect(try await find("orion") == ["01", "02"])
        #expect(try await find("hunter") == ["02", "01"])
        #expect(try await find("nebula", limit: 1) == ["05"])
    }

    @Test("A search does not mind accents")
    func diacritics() async throws {
        #expect(try await find("cafe") == ["03"])
        #expect(try await find("Cafe\u{301}") == ["03"])
        #expect(try await find("curacao", "naive") == ["03"])
    }

    @Test(
        "A search takes quotes and operators for text",
        arguments: [
            "\"", "*", "AND", "a AND", "NEAR(", "NEAR/2", "title:orion", "-orion", "^orion", "{title}", "+", "",
            "'; DROP TABLE day; --", "\\", "\u{1}", "🚀", "\u{d4e}\"", "a\"\u{301} OR b",
            String(repeating: "long ", count: 20_000),
        ])
    func operators(word: String) async throws {
        _ = try await find(word)
        _ = try await find("orion", word)
        _ = try await find(word, "orion")
    }

    @Test("A search finds words that are operators")
    func operatorsAsWords() async throws {
        #expect(try await find("AND", "OR", "NOT") == ["04"])
        #expect(try await find("near") == ["04", "03"])
    }

    @Test("A search without words finds nothing")
    func nothing() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(1))
        #expect(try fixture.openCatalog.search([], limit: 3).isEmpty)
    }

    @Test("A search tells which file to open and where in the text the words are")
    func findings() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(
            november(1), "Orion Rising", "The hunter stands.", [(.video, .mp4), (.poster, .jpeg)])
        try await fixture.add(november(2), "Words", "A hunter, too.", [])
        let findings = try fixture.openCatalog.search(["hunter"], limit: 9).sorted { $0.name.day < $1.name.day }
        #expect(findings.map(\.path) == ["2026/11/2026-11-01 Orion Rising.mp4", "2026/11/2026-11-02 Words.json"])
        #expect(findings[0].excerpt == "The \u{2}hunter\u{3} stands.")
        #expect(findings[0].title == "Orion Rising")
    }
}
