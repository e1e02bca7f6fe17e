import Apod
import Archive
import CLinux
import Catalog
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

struct DiskTests {
    private let today = TestMirror.today

    @Test("Links in the place of the tree's folders are not followed", arguments: ["2026", "2026/11"])
    func links(place: String) async throws {
        let (testMirror, outside) = (try TestMirror(days: 1), try TemporaryFolder())
        _ = try testMirror.archive()
        if place.contains("/") { mkdir(testMirror["2026"], 0o755) }
        symlink(outside.path, testMirror[place])
        let (events, _) = try await testMirror.attempt()
        #expect(events[today] == "failed")
        #expect(try testMirror.status(today)?.failure?.words.contains(place) == true)
        #expect(listing(outside.path) == [])
    }

    @Test("A link in the place of a picture is replaced, and what it led to is not touched")
    func linkedFile() async throws {
        let testMirror = try TestMirror([Entry(today, title: "Orion Rising", bytes: 2_000)])
        let outside = try TemporaryFolder()
        try save([1, 2, 3], to: outside.appending("mine"))
        mkdir(testMirror.root, 0o755)
        for suffix in ["jpg", "json"] {
            try testMirror.put([], at: "2026/11/x")
            symlink(outside.appending("mine"), testMirror["2026/11/2026-11-20 Orion Rising.\(suffix)"])
        }
        unlink(testMirror["2026/11/x"])
        try await testMirror.sync()
        #expect(try contents(outside.appending("mine")) == [1, 2, 3])
        try await testMirror.audit()
    }

    @Test("The range begins at the first run, also when it named days")
    func firstRun() async throws {
        let testMirror = try TestMirror([Entry(day("2019-04-10"), bytes: 2_000)] + Entry.days(2, newest: today))
        for _ in 1...2 {
            do {
                let mirror = try OpenMirror(testMirror.settings, version: "1", environment: [:], time: testMirror.clock)
                #expect(try mirror.range.since() == ago(30))
                for try await _ in mirror.refresh().running(.days([day("2019-04-10")])) {}
            }
            try await unlocked(testMirror.root)
        }
    }
}
