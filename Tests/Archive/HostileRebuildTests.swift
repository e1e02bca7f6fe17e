import Apod
import Glibc
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

/// What stands in the tree can be anybody's: a backup from elsewhere, a share that others write to.
struct HostileRebuildTests {
    private static let good = november(19)

    /// A mirror with one good day and something beside it.
    private func censused(_ put: (_ month: String, _ document: [UInt8]) throws -> Void) async throws -> [DayStatus] {
        let fixture = try ArchiveFixture()
        try await fixture.add(Self.good, "Good")
        let month = fixture["2026/11"]
        try put(month, contents("\(month)/2026-11-19 Good.json"))
        _ = try fixture.archive().rediscover([november(20), day("2026-12-01")])
        let rediscovered = try fixture.storedDays()
        try await fixture.forget()
        #expect(try fixture.storedDays() == rediscovered)
        return rediscovered
    }

    /// The same of the next day, called so.
    private static func bad(_ document: [UInt8]) -> String {
        String(decoding: document, as: UTF8.self).replacing("2026-11-19", with: "2026-11-20")
            .replacing("Good", with: "Bad")
    }

    private func expectOnlyTheGood(_ put: (String, [UInt8]) throws -> Void) async throws {
        #expect(try await censused(put).map(\.day) == [Self.good])
    }

    @Test(
        "A catalog rebuilt from a hostile tree leaves out JSON that says nothing",
        arguments: [
            "", "[]", "{}", #"{"upstream":{},"mirror":{"fetched":"2026-11-20T00:00:00Z","files":[]}}"#,
            #"{"upstream":{"date":"2026-11-20","title":"","text":""},"mirror":{"fetched":"now","files":[]}}"#,
            #"{"upstream":{"date":"2026-11-20","title":"","text":""},"mirror":{"fetched":"2026-11-20T00:00:00Z"}}"#,
            #"{"upstream":{"date":"2026-11-18","title":"","text":""},"#
                + #""mirror":{"fetched":"2026-11-20T00:00:00Z","files":[]}}"#,
            String(repeating: "[", count: 1_000_000),
        ])
    func senseless(text: String) async throws {
        try await expectOnlyTheGood { month, _ in try save(text, to: "\(month)/2026-11-20 Bad.json") }
    }

    @Test(
        "A catalog rebuilt from a hostile tree leaves out file names that lead elsewhere, and what else is not a file of that day",
        arguments: [
            ("2026-11-20 Bad.jpg", "../../../../etc/passwd"), ("2026-11-20 Bad.jpg", "../2026-11-19 Good.jpg"),
            ("2026-11-20 Bad.jpg", "2026-11-19 Good.jpg"), ("2026-11-20 Bad.jpg", ""), ("image/jpeg", "text/plain"),
            ("\"picture\"", "\"owner\""), ("\"bytes\": 1000", "\"bytes\": \"many\""),
            ("\"bytes\": 1000", "\"bytes\": -1"), ("\"bytes\": 1000", "\"bytes\": 4398046511105"),
            ("https://example.org/", "file:///etc/"), ("\"sha256\": \"", "\"sha256\": \"x"),
            ("\"date\": \"2026-11-20\"", "\"date\": \"2026-11-19\""),
        ])
    func names(from: String, to: String) async throws {
        try await expectOnlyTheGood { month, document in
            let bad = Self.bad(document)
            #expect(bad.contains(from))
            try save(bad.replacing(from, with: to), to: "\(month)/2026-11-20 Bad.json")
            try save([1], to: "\(month)/2026-11-20 Bad.jpg")
        }
    }

    @Test("A catalog rebuilt from a hostile tree leaves out a day with two files in one role")
    func roles() async throws {
        try await expectOnlyTheGood { month, document in
            let bad = Self.bad(document)
            let start = try #require(bad.firstRange(of: "\"files\": [")).upperBound
            let end = try #require(bad[start...].firstIndex(of: "]"))
            let twice = "\(bad[..<start])\(bad[start..<end]),\(bad[start..<end])\(bad[end...])"
            try save(twice, to: "\(month)/2026-11-20 Bad.json")
            try save(contents("\(month)/2026-11-19 Good.jpg"), to: "\(month)/2026-11-20 Bad.jpg")
        }
    }

    @Test(
        "A catalog rebuilt from a hostile tree leaves out names that it would never choose",
        arguments: [
            "2026-11-20 ..json", "2026-11-20 .json", "2026-11-20  Two.json", "2026-11-20 a:b.json",
            "2026-11-20.json.json",
            "2026-11-20 \u{202e}x.json", "2026-11-20 e\u{301}.json", "2026-11-20Bad.json", "2026-11-31 Bad.json",
            "2026-11-20 Bad\n.json", "..json", ".json", "2026-12-01 Bad.json",
        ])
    func stems(name: String) async throws {
        try await expectOnlyTheGood { month, document in
            let date = name.hasPrefix("2026-12") ? "2026-12-01" : "2026-11-20"
            let bad = String(decoding: document, as: UTF8.self).replacing("2026-11-19", with: date)
            try save(bad, to: "\(month)/\(name)")
        }
    }

    @Test(
        "A catalog rebuilt from a hostile tree leaves out what is no file: a link, a FIFO, a folder",
        arguments: ["2026-11-19 Good.json", "fifo", "folder", "nowhere", "2026-11-20 Bad.json"])
    func kinds(kind: String) async throws {
        try await expectOnlyTheGood { month, _ in put(kind, at: "\(month)/2026-11-20 Bad.json") }
    }

    @Test("A catalog rebuilt from a hostile tree leaves out a document larger than any day's")
    func large() async throws {
        try await expectOnlyTheGood { month, document in
            let path = "\(month)/2026-11-20 Bad.json"
            try save(document, to: path)
            truncate(path, 65 << 20)
        }
    }

    @Test("A catalog rebuilt from a hostile tree does not go through links in the place of folders")
    func folders() async throws {
        let outside = try TemporaryFolder()
        let other = try ArchiveFixture()
        try await other.add(day("2025-01-02"), "Elsewhere")
        let fixture = try ArchiveFixture()
        try await fixture.add(Self.good, "Good")
        symlink("\(other.root)/2025", fixture["2025"])
        mkdir(fixture["2024"], 0o755)
        symlink("\(other.root)/2025/01", fixture["2024/01"])
        mkfifo(fixture["2023"], 0o644)
        symlink("/", fixture["1999"])
        try await fixture.forget()
        #expect(try fixture.storedDays().map(\.day) == [Self.good])
        #expect(try fixture.archive().rediscover([day("2025-01-02")]) == [])
        #expect(listing(outside.path) == [])
    }

    @Test("A catalog rebuilt from a hostile tree knows a file replaced by a link for missing")
    func linkedFile() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(Self.good, "Good")
        let path = fixture["2026/11/2026-11-19 Good.jpg"]
        rename(path, path + ".moved")
        symlink(path + ".moved", path)
        try await fixture.forget()
        #expect(try fixture.storedDays().map(\.state) == [.failed])
    }
}
