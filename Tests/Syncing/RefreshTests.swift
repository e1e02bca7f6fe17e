import Apod
import Configuration
import Files
import Glibc
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

struct RefreshTests {
    private let today = TestMirror.today

    private func range(_ from: Day, _ to: Day) -> String {
        "\(FakeNASA.base)?page=1&per_page=25&date_from=\(from.compact)&date_to=\(to.compact)"
    }

    @Test("A refresh brings back what is gone of the newest days, and leaves what was changed until somebody asks")
    func gone() async throws {
        let testMirror = try TestMirror([Entry(today, .video, title: "Night Clouds")])
        try await testMirror.sync()
        let path = testMirror["\(today.folder)/\(today) Night Clouds.mp4"]
        let before = try contents(path)
        unlink(path)
        testMirror.nasa.server.forgetRequests()
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(try contents(path) == before)
        #expect(testMirror.fileRequests.count == 1, "\(testMirror.fileRequests)")
        truncate(path, 100)
        #expect(try await testMirror.sync()[today] == "unchanged" && contents(path).count == 100)
        #expect(try await testMirror.sync(.days([today]))[today] == "mirrored" && contents(path) == before)
        try await testMirror.audit()
    }

    @Test("A refresh clears away downloads that rested for a month, though NASA does not answer")
    func stale() async throws {
        let testMirror = try TestMirror(days: 1)
        try await testMirror.sync()
        let path = testMirror[".apod-mirror/unfinished/left"]
        try save([1], to: path)
        // What is whole has the time of its day.
        try File.reading(path).setModified(0)
        let now = try File.reading(path).facts().changed
        testMirror.nasa.server.stop()
        for (days, isThere) in [(29, true), (31, false)] {
            testMirror.clock.set(now + days * 86_400)
            _ = try await testMirror.attempt()
            #expect((Facts(path) != nil) == isThere)
        }
    }

    @Test("A refresh asks for windows of at most 25 days, the newest first")
    func windows() async throws {
        let testMirror = try TestMirror(days: 60)
        let events = try await testMirror.sync()
        #expect(
            testMirror.questions == [
                range(ago(24), today),
                range(ago(49), ago(25)),
                range(ago(59), ago(50)),
            ])
        #expect(events.words.count == 60)
        try await testMirror.audit()
    }

    @Test("A refresh looks again at the last days before an absence of more than one answer's days")
    func longAway() async throws {
        let testMirror = try TestMirror(days: 3)
        try await testMirror.sync()
        testMirror.nasa[ago(1)]?.title = "Kumquats"
        testMirror.clock.pass(days: 30)
        for entry in Entry.days(30, newest: today.advanced(by: 30), bytes: 2_000) { testMirror.nasa.add(entry) }
        testMirror.nasa.server.forgetRequests()
        let events = try await testMirror.sync()
        #expect(testMirror.questions == [range(ago(2), today.advanced(by: 30)), range(ago(2), today.advanced(by: 5))])
        #expect(events.words.filter { $0.hasSuffix("mirrored") }.count == 31)
        #expect(try testMirror.json(ago(1))["title"]?.string == "Kumquats")
    }

    @Test("A refresh of all new days compares eight files that other mirrors gave with NASA's")
    func neighbours() async throws {
        let testMirror = try TestMirror(days: 11) { $0.recheckDays = 0 }
        try await testMirror.sync()
        let files = (1...10).map { "\(testMirror.root)/\(ago($0).folder)/\(testMirror.files(ago($0)).last!)" }
        for file in files {
            try save(fileText(file).replacing("\"role\":", with: "\"neighbour\": true, \"role\":"), to: file)
        }
        try await testMirror.loseCatalog()
        for left in [2, 0] {
            try await testMirror.sync()
            #expect(try files.count { try fileText($0).contains("\"neighbour\"") } == left)
        }
    }

    @Test("A refresh of named days far apart asks no more than it must")
    func named() async throws {
        let old = Entry(day("2001-02-03"), bytes: 2_000)
        let testMirror = try TestMirror([old] + Entry.days(9, newest: today, bytes: 2_000))
        let days: Set = [old.day, today, ago(8)]
        try await testMirror.sync(.days(days))
        #expect(testMirror.questions == [range(ago(8), today), "\(FakeNASA.base)/010203"])
        #expect(Set(try testMirror.catalog.storedDays().map(\.day)) == days)
    }
}
