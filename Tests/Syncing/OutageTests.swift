import Apod
import Glibc
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

struct OutageTests {
    private let today = TestMirror.today

    private static func isFile(_ request: Request) -> Bool {
        request.path.hasPrefix("/content/") || request.path.hasPrefix("/dynamicimage/")
    }

    @Test(
        "An outage is not asked further, nor for its other list, when it asks not to be asked",
        arguments: [(429, nil), (403, "3600"), (503, "3600")])
    func plea(status: Int, wish: String?) async throws {
        let testMirror = try TestMirror(days: 55)
        testMirror.nasa.intercept = { _ in .html(status, retryAfter: wish) }
        let (events, error) = try await testMirror.attempt()
        #expect(error?.isOfNetwork == true)
        #expect(events.words == ["2026-10-27 to 2026-11-20 unanswered"])
        #expect(!testMirror.nasa.requests.contains { $0.path == FakeNASA.articles })
        #expect(try (testMirror.catalog.quiet(at: testMirror.clock.now) != nil) == (wish != nil))
        // Whoever asks all the same may find that it has changed its mind.
        testMirror.nasa.intercept = nil
        try await testMirror.sync()
        #expect(try testMirror.catalog.quiet(at: testMirror.clock.now) == nil)
    }

    /// Of ten days, APOD Basic tells nothing, and the site's own list all but one.
    private func silent(but missing: Day? = nil) throws -> TestMirror {
        let testMirror = try TestMirror(days: 10)
        let list = try FakeNASA(Entry.days(10, newest: today, bytes: 2_000).filter { $0.day != missing })
        testMirror.nasa.intercept = { request in
            if request.path.hasPrefix(FakeNASA.base) { return .html(502) }
            return request.path == FakeNASA.articles ? list.usual(request) : nil
        }
        return testMirror
    }

    @Test("The site's own list stands in after an hour, and days that it lacks fail")
    func articles() async throws {
        let missing = ago(3)
        let testMirror = try silent(but: missing)
        for pause in [0, 3599] {
            testMirror.clock.pass(pause)
            #expect(try await testMirror.attempt().error?.isOfNetwork == true)
        }
        #expect(!testMirror.nasa.requests.contains { $0.path == FakeNASA.articles })
        testMirror.clock.pass(1)
        let events = try await testMirror.sync()
        #expect(events[missing] == "failed for now")
        #expect(events.first { $0.words.hasPrefix("\(missing)") }?.why?.contains("the server answered 502") == true)
        // A catalog that is made anew knows what came from there.
        let days = try testMirror.catalog.storedDays().map(\.day)
        try await testMirror.loseCatalog()
        #expect(try testMirror.catalog.storedDays().map(\.day) == days && days.count == 9)
        #expect(try testMirror.catalog.standIns(among: Set(days)) == Set(days))
        try await testMirror.audit()
    }

    @Test(
        "The site's own list stands in at once for a person",
        arguments: [true, false])
    func asked(isByName: Bool) async throws {
        let testMirror = try silent()
        let request = isByName ? RefreshRequest.days([today, ago(3)]) : nil
        testMirror.isAsked = true
        try await testMirror.sync(request)
        #expect(try testMirror.catalog.storedDays().count == (isByName ? 2 : 10))
        // The service waits, and asks APOD Basic again.
        testMirror.isAsked = false
        testMirror.clock.pass(60)
        _ = try await testMirror.attempt(.days([ago(5)]))
        testMirror.nasa.intercept = nil
        try await testMirror.sync(request)
        #expect(try testMirror.json(today)["upstream"]?["basic_html"] != nil)
        try await testMirror.audit()
    }

    @Test("An outage of the pictures' server ends a refresh after ten failures in a row")
    func pictures() async throws {
        let testMirror = try TestMirror(days: 60)
        testMirror.nasa.intercept = { Self.isFile($0) ? .html(503) : nil }
        let (events, error) = try await testMirror.attempt()
        #expect(error?.code == .files)
        #expect(events.words.filter { $0.hasSuffix("failed for now") }.count < 60)
        #expect(testMirror.tree.filter { $0.contains("jp") } == [])
        testMirror.nasa.intercept = nil
        try await testMirror.sync()
        #expect(try testMirror.catalog.storedDays().count == 60)
        try await testMirror.audit(brokeOff: true)
    }
}
