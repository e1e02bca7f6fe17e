import Apod
import Configuration
import Files
import Glibc
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

struct FetchedTreeTests {
    /// One day of each kind.
    private static let kinds = [
        Entry(november(20), title: "Orion Rising"),
        Entry(november(19), .video, title: "Night Clouds"),
        Entry(november(18), .youTube(id: "dQw4w9WgXcQ"), title: "A Flight"),
        Entry(november(17), .text, title: "Only Words"),
        Entry(november(16), .placeholder, title: "Not Yet There"),
        escaped,
        Entry(day("2026-10-30"), .picture(.png), title: "Sharp/Soft"),
    ]

    /// With a space in its name, which its address escapes.
    private static var escaped: Entry {
        var entry = Entry(day("2026-10-31"), .picture(.gif), title: "Spinning: a \"World\"?")
        entry.file = "Spinning World_261031"
        return entry
    }

    @Test("What was fetched has its names, original bytes and its day's time, and can be read by all")
    func shape() async throws {
        let testMirror = try TestMirror(Self.kinds)
        try await testMirror.sync()
        let own = listing(testMirror["\(Tree.ownFolder)"]).filter { !$0.contains("sqlite-") }
        #expect(own == ["catalog.sqlite", "id", "lock", "running", "since", "unfinished/"])
        #expect(listing(testMirror.folder.path).allSatisfy { $0.hasPrefix("APOD/") })
        try await testMirror.audit()
        for entry in Self.kinds {
            for file in entry.files {
                #expect(try testMirror.bytes(entry.day, String(file.path.suffix(3))) == file.original?.bytes)
            }
        }
        let mask = umask(0)
        umask(mask)
        // Read back as the system tells it, which is not the same where the clock is shifted.
        let reference = testMirror.folder.appending("reference")
        try save([], to: reference)
        for name in testMirror.tree where !name.contains(" -> ") {
            let facts = try #require(Facts(testMirror[name]))
            #expect(facts.permissions == (name.hasSuffix("/") ? 0o755 : 0o644) & ~mask, "\(name)")
            if name.hasSuffix("/") || name.hasSuffix("json") { continue }
            #expect(facts.nanoseconds == 0)
            let day = try #require(Day(name.dropFirst(8).prefix(10)))
            try File.reading(reference).setModified(day.noon)
            #expect(abs(facts.modified - (Facts(reference)?.modified ?? 0)) < 43_200)
        }
    }
}
