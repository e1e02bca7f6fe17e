import Apod
import Archive
import Catalog
import Configuration
import Files
import Glibc
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

    @Test("What was fetched has its shape")
    func shape() async throws {
        let testMirror = try TestMirror(Self.kinds)
        try await testMirror.sync()
        #expect(
            testMirror.tree == [
                "2026/", "2026/10/",
                "2026/10/2026-10-30 Sharp-Soft.json", "2026/10/2026-10-30 Sharp-Soft.png",
                "2026/10/2026-10-31 Spinning - a World.gif", "2026/10/2026-10-31 Spinning - a World.json",
                "2026/11/",
                "2026/11/2026-11-16 Not Yet There.json",
                "2026/11/2026-11-17 Only Words.json",
                "2026/11/2026-11-18 A Flight.html", "2026/11/2026-11-18 A Flight.jpg",
                "2026/11/2026-11-18 A Flight.json",
                "2026/11/2026-11-19 Night Clouds.jpg", "2026/11/2026-11-19 Night Clouds.json",
                "2026/11/2026-11-19 Night Clouds.mp4",
                "2026/11/2026-11-20 Orion Rising.jpg", "2026/11/2026-11-20 Orion Rising.json",
                "latest -> 2026/11/2026-11-20 Orion Rising.jpg",
                "latest.jpg -> 2026/11/2026-11-20 Orion Rising.jpg",
                "latest.json -> 2026/11/2026-11-20 Orion Rising.json",
            ])
        let own = listing(testMirror["\(Tree.ownFolder)"]).filter { !$0.contains("sqlite-") }
        #expect(own == ["catalog.sqlite", "id", "lock", "running", "since", "unfinished/"])
        #expect(listing(testMirror.folder.path).allSatisfy { $0.hasPrefix("APOD/") })
        try await testMirror.audit()
    }

    @Test("What was fetched has the original bytes, the time of its day in whole seconds, and can be read by all")
    func facts() async throws {
        let testMirror = try TestMirror(Self.kinds)
        try await testMirror.sync()
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

    @Test("Videos and originals are left out where they are not wanted")
    func choices() async throws {
        let (video, picture, gif) = (november(19), november(20), day("2026-10-31"))
        var large = Self.kinds
        (large[0].width, large[0].height) = (6000, 4000)
        let testMirror = try TestMirror(large) { settings in
            settings.videos = .poster
            settings.pictures = .screen
        }
        try await testMirror.sync()
        #expect(testMirror.files(video).map { String($0.suffix(4)) } == ["html", ".jpg", "json"])
        let address = Entry.originals + large[1].files[0].path
        #expect(String(decoding: try testMirror.bytes(video, "html"), as: UTF8.self).contains(address))
        #expect(try testMirror.bytes(picture, "jpg") == large[0].files[0].rendition?.bytes)
        #expect(try testMirror.bytes(gif, "gif") == large[5].files[0].original?.bytes)
        #expect(try testMirror.status(picture)?.state == .mirrored)
        #expect(try testMirror.json(picture)["mirror"]?["downgraded"]?.bool == false)
        let asked = testMirror.nasa.requests.filter { $0.path.hasSuffix(".jpg") && $0["w"] == "3840" }
        #expect(asked.count == 1)
        try await testMirror.audit()
    }
}
