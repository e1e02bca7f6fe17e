import Apod
import Glibc
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

struct AbsenceTests {
    private let today = TestMirror.today

    @Test("Days are asked for one by one where an answer ignores the range")
    func ignored() async throws {
        let testMirror = try TestMirror(days: 40)
        testMirror.nasa.intercept = { [unowned nasa = testMirror.nasa] request in
            request.path == FakeNASA.base ? nasa.list(nasa.days.suffix(25).reversed()) : nil
        }
        try await testMirror.sync()
        #expect(try testMirror.catalog.storedDays().count == 40)
        try await testMirror.audit()
        // Nor one without words be taken for one that is still to come.
        testMirror.nasa.intercept = nil
        testMirror.clock.pass(days: 1)
        let new = Entry(today.advanced(by: 1), title: "NASA")
        testMirror.nasa.add(new)
        testMirror.nasa[new.day]?.explanation = ""
        #expect(try await testMirror.sync()[new.day] == "failed for now")
    }

    @Test("A day that a mirror lacks fails for now, and the days that are there come")
    func elsewhere() async throws {
        let testMirror = try TestMirror(days: 40)
        testMirror.nasa.intercept = { [unowned nasa = testMirror.nasa] request in
            if request.path == FakeNASA.articles { return .html(404) }
            guard request.path.hasPrefix(FakeNASA.base) else { return nil }
            if request.path == FakeNASA.base { return nasa.list(nasa.days.suffix(5).reversed()) }
            return .json(#"{"code":"apod_mirror_not_here"}"#, status: 404)
        }
        let events = try await testMirror.sync(.missing(ago(39)...today))
        for day in ago(39)...today { #expect(events[day] == (day < ago(4) ? "failed for now" : "mirrored")) }
        #expect(testMirror.questions.count { $0.hasPrefix("\(FakeNASA.base)/") } == 35)
    }

    @Test("An absent day is asked for again after a day, two, four, …, and at once by who names it or a range")
    func again() async throws {
        let testMirror = try TestMirror(days: 60)
        let (day, range) = (ago(50), ago(59)...today)
        let entry = try #require(testMirror.nasa[day])
        testMirror.nasa[day] = nil
        #expect(try await testMirror.sync(.missing(range))[day] == "absent")
        for pause in [1, 2, 4] {
            func waits() async throws -> Bool { try await testMirror.sync(.missing(range))[day] == nil }
            #expect(try await waits())
            testMirror.clock.pass(days: pause)
            #expect(try await waits() == false)
        }
        #expect(try await testMirror.sync(.missing(range, asked: .generally))[day] == nil)
        #expect(try await testMirror.sync(.missing(range, asked: .byRange))[day] == "absent")
        #expect(try await testMirror.sync(.days([day]))[day] == "absent")
        testMirror.nasa[day] = entry
        #expect(try await testMirror.sync(.missing(range, asked: .byRange))[day] == "mirrored")
    }

    @Test("An absent day is taken from the site's own list under the date of its old page")
    func misfiled() async throws {
        let misfiled = day("2007-07-13")
        var entry = Entry(misfiled, title: "Manhattanhenge", bytes: 2_000)
        entry.filed = day("2007-07-16")
        let testMirror = try TestMirror([
            Entry(day("2007-07-12"), bytes: 2_000), entry, Entry(day("2007-07-16"), bytes: 2_000),
        ])
        testMirror.nasa.intercept = { [unowned nasa = testMirror.nasa] request in
            if request.path.hasSuffix("/070713") { return .json(#"{"code":"apod_basic_not_found"}"#, status: 404) }
            return request.path == FakeNASA.base ? nasa.list(nasa.days.filter { $0 != misfiled }.reversed()) : nil
        }
        let events = try await testMirror.sync(.missing(day("2007-07-12")...day("2007-07-16")))
        #expect(events[entry.day] == "mirrored" && events[day("2007-07-14")] == "absent")
        #expect(testMirror.files(entry.day) == ["2007-07-13 Manhattanhenge.jpg", "2007-07-13 Manhattanhenge.json"])
        #expect(try testMirror.json(entry.day)["upstream"]?["type"]?.string == "image-article")
        // APOD Basic's own record is a correction.
        let file = try testMirror.bytes(entry.day, "jpg")
        testMirror.nasa.intercept = nil
        try await testMirror.sync(.days([entry.day]))
        #expect(try testMirror.json(entry.day)["upstream"]?["type"] == nil)
        #expect(try testMirror.bytes(entry.day, "jpg") == file)
    }

    @Test("The last failure is told until all questions have an answer")
    func partly() async throws {
        let testMirror = try TestMirror(days: 55)
        let window = ago(54)...today
        testMirror.nasa.intercept = { _ in .html(404) }
        _ = try? await testMirror.sync()
        let newest = today.compact
        testMirror.nasa.intercept = { request in
            request.path == FakeNASA.articles || request["date_to"] == newest ? .html(502) : nil
        }
        let words = try await testMirror.sync(.gaps(window)).words
        #expect(words.contains("2026-10-27 to 2026-11-20 unanswered"))
        #expect(try testMirror.catalog.storedDays().count == 30)
        #expect(try testMirror.catalog.lastFailure() != nil)
        testMirror.nasa.intercept = nil
        try await testMirror.sync(.gaps(window))
        #expect(try testMirror.catalog.storedDays().count == 55)
        #expect(try testMirror.catalog.lastFailure() == nil)
    }
}
