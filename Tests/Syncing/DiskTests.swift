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

    @Test(
        "On a disk that gets full, a sync ends with a clear error, and goes on when there is room",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func full() async throws {
        let disk = try Disk("tmpfs", "size=2500k")
        let testMirror = try TestMirror(Entry.days(60, newest: today, bytes: 60_000), root: disk.path + "/APOD")
        let (_, error) = try await testMirror.attempt()
        #expect("\(error, default: "")".contains("no space left"))
        #expect(try await testMirror.problems() == [])
        for name in testMirror.tree where name.hasPrefix("2026") && name.hasSuffix(".jpg") {
            #expect(Facts(testMirror[name])?.bytes == 60_000)
        }
        #expect(try testMirror.catalog.storedDays().count > 0)
        try await testMirror.close()
        try disk.change("size=20m")
        try await testMirror.sync()
        #expect(try testMirror.catalog.storedDays().count == 60)
        try await testMirror.audit()
    }

    @Test(
        "On a disk that has no extended attributes, all works", .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func noAttributes() async throws {
        let disk = try Disk("ramfs")
        let testMirror = try TestMirror(Entry.days(3, newest: today, bytes: 2_000), root: disk.path + "/APOD")
        try await testMirror.sync()
        try await testMirror.audit()
    }

    @Test("On a disk a mirror is known only once it is there: what could not be made is no disk that is not mounted")
    func known() async throws {
        let testMirror = try TestMirror(days: 1)
        let home = try TemporaryFolder()
        func open() throws {
            _ = try OpenMirror(
                testMirror.settings, version: "1", environment: ["HOME": home.path], time: testMirror.clock)
        }
        try save([], to: testMirror.root)
        #expect { try open() } throws: { "\($0)".contains("Not a directory") }
        unlink(testMirror.root)
        try open()
    }

    @Test("On a disk links in the place of the tree's folders are not followed", arguments: ["2026", "2026/11"])
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

    @Test("On a disk a link in the place of a picture is replaced, and what it led to is not touched")
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

    @Test("On a disk the first run is where the range begins, also when it named days")
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
