import Apod
import Archive
import Catalog
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite("A day that the upstream is said not to have")
struct AbsenceTests {
    private let today = TestMirror.today

    private static let words: [(String, Int)] = [
        (#"{"code":"rest_no_route","data":{"status":404}}"#, 404), ("<html>404</html>", 404), ("", 404),
        (#"{"code":"apod_basic_not_found"}"#, 410), ("[]", 200), ("<html>Welcome!</html>", 200), ("{}", 200),
    ]

    @Test("by anybody but the service itself is asked for again at once, however often it was", arguments: words)
    func fault(word: String, status: Int) async throws {
        let testMirror = try TestMirror(days: 60)
        let day = today.advanced(by: -50)
        testMirror.nasa.intercept = { request in
            if request.path.hasPrefix("/feed") { return .html(404) }
            return request.path.hasPrefix(FakeNASA.base) ? .json(word, status: status) : nil
        }
        for _ in 1...5 {
            #expect(try await testMirror.sync(.days([day]))[day] == "failed for now")
            #expect(try testMirror.archive().catalog.failed(at: testMirror.clock.now) == [day])
        }
        testMirror.nasa.intercept = nil
        let events = try await testMirror.sync(.missing(day...day))
        #expect(events[day] == "mirrored")
    }

    @Test(
        "is one that is still to come as long as it is behind the newest, but not for longer than a month",
        arguments: [(30, "not yet"), (31, "absent")])
    func behindNewest(age: Int, outcome: String) async throws {
        let testMirror = try TestMirror(days: 60)
        try await testMirror.sync(.days([today.advanced(by: -59)]))
        let day = today.advanced(by: -age)
        testMirror.nasa[day] = nil
        #expect(try await testMirror.sync(.days([day]))[day] == outcome)
    }

    @Test("by the service itself is left alone for a month")
    func absence() async throws {
        let testMirror = try TestMirror(days: 60)
        let day = today.advanced(by: -50)
        testMirror.nasa[day] = nil
        #expect(try await testMirror.sync(.days([day]))[day] == "absent")
        let status = try #require(try testMirror.archive().catalog.status(of: day))
        #expect(status.retryAfter == testMirror.clock.now + 30 * 86_400)
    }

    @Test("though its text is here is not asked for its picture at every sync")
    func incomplete() async throws {
        let testMirror = try TestMirror(days: 60)
        let day = today.advanced(by: -50)
        testMirror.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(404) : nil }
        try await testMirror.sync(.days([day]))
        let catalog = try testMirror.archive().catalog
        #expect(try catalog.failed(at: testMirror.clock.now) == [day])
        testMirror.nasa.intercept = nil
        testMirror.nasa[day] = nil
        #expect(try await testMirror.sync(.days([day]))[day] == "kept")
        #expect(try catalog.failed(at: testMirror.clock.now).isEmpty)
        #expect(try catalog.status(of: day)?.stored?.hasText == true)
    }
}

@Suite("The last failure")
struct LastFailureTests {
    private let today = TestMirror.today

    @Test("is told until something has gone well, whatever that was", arguments: [true, false])
    func forgotten(goesWell: Bool) async throws {
        let testMirror = try TestMirror(days: 3)
        testMirror.nasa.intercept = { _ in .html(404) }
        _ = try? await testMirror.sync()
        #expect(try testMirror.archive().catalog.lastFailure() != nil)
        testMirror.nasa.intercept = { request in
            !goesWell && request.path.hasSuffix(".jpg") ? Response(status: 503) : nil
        }
        _ = try? await testMirror.sync(.days([today.advanced(by: -1)]))
        let failure = try testMirror.archive().catalog.lastFailure()
        #expect((failure == nil) == goesWell)
    }

    @Test("is still told when one question of several had no answer, until all have one")
    func partly() async throws {
        let testMirror = try TestMirror(days: 55)
        let window = testMirror.ago(54)...today
        testMirror.nasa.intercept = { _ in .html(404) }
        _ = try? await testMirror.sync()
        let newest = today.compact
        testMirror.nasa.intercept = { request in
            request.path.hasPrefix("/feed") || request["date_to"] == newest ? .html(502) : nil
        }
        let words = try await testMirror.sync(.gaps(window)).words
        #expect(words.contains("2026-10-27 to 2026-11-20 unanswered"))
        #expect(try testMirror.archive().catalog.storedDays().count == 30)
        #expect(try testMirror.archive().catalog.lastFailure() != nil)
        testMirror.nasa.intercept = nil
        try await testMirror.sync(.gaps(window))
        #expect(try testMirror.archive().catalog.storedDays().count == 55)
        #expect(try testMirror.archive().catalog.lastFailure() == nil)
    }
}
