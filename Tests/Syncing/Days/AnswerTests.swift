import Apod
import Archive
import Catalog
import Syncing
import TestMirror
import TestSupport
import Testing

/// What the upstream can answer, and what becomes of it.
struct AnswerTests {
    private static let today = TestMirror.today
    private let today = Self.today

    private static func isList(_ request: Request) -> Bool { request.path == FakeNASA.base }

    /// Some days, and every list of records changed in its text.
    private func synced(
        days: Int = 4, _ change: @escaping @Sendable (inout [String], inout Response) -> Void
    ) async throws -> (testMirror: TestMirror, events: [RefreshEvent]) {
        let testMirror = try TestMirror(days: days)
        testMirror.nasa.alter(below: FakeNASA.base) { request, response in
            guard Self.isList(request) else { return }
            var records = (try! JSONText(response.body.bytes)).elements!.map(\.text)
            change(&records, &response)
            response.body = Body("[\(records.joined(separator: ","))]")
        }
        return (testMirror, try await testMirror.sync())
    }

    private func expectAll(_ events: [RefreshEvent], days: Int = 4) {
        for back in 0..<days { #expect(events[ago(back)] == "mirrored") }
    }

    @Test("An answer with days twice, of others or under another date is good for all that were asked for")
    func strange() async throws {
        let (testMirror, events) = try await synced { records, _ in
            records.insert(
                records[2].replacing("\"date\":\"2026-11-18\"", with: "\"date\":\"2026-11-19\"")
                    .replacing("The ", with: "Misfiled "), at: 1)
            records += records
            records.append(records[0].replacing("\"date\":\"2026-11-20\"", with: "\"date\":\"2019-04-10\""))
        }
        expectAll(events)
        #expect(try testMirror.json(november(19))["title"]?.string?.contains("Misfiled") == false)
        #expect(events.contains { $0.why?.contains("2019-04-10") == true })
        #expect(testMirror.tree.filter { $0.contains("2019") } == [])
        try await testMirror.audit()
    }

    @Test("An answer with bad records is good for all others; a day whose own is spoiled is asked for by its address")
    func bad() async throws {
        let (testMirror, events) = try await synced { records, _ in
            records[1] = "{}"
            records += [
                "null", "[]", "7", "\"\"", #"{"date":null}"#, #"{"date":"yesterday"}"#, #"{"date":"1995-06-15"}"#,
                #"{"date":"../../etc/cron.d/x"}"#, #"{"date":"2026-11-20/../../x"}"#, #"{"date":"2026-02-30"}"#,
            ]
        }
        expectAll(events)
        #expect(events.words.count { $0 == "noted" } == 11)
        #expect(testMirror.questions.last == "\(FakeNASA.base)/261119")
        try await testMirror.audit()
    }

    @Test("An answer of a service that ignores the range does not mislead: the days are asked for one by one")
    func ignored() async throws {
        let testMirror = try TestMirror(days: 40)
        testMirror.nasa.intercept = { [unowned nasa = testMirror.nasa] request in
            guard Self.isList(request) else { return nil }
            return .json(
                "["
                    + nasa.days.suffix(25).reversed().map { String(decoding: nasa.record($0)!, as: UTF8.self) }
                    .joined(separator: ",") + "]")
        }
        try await testMirror.sync()
        #expect(try testMirror.catalog.storedDays().count == 40)
        try await testMirror.audit()
    }

    @Test("An answer in several pages is asked for as long as days are missing")
    func pages() async throws {
        let (testMirror, events) = try await synced(days: 12) { records, response in
            response[header: "X-WP-TotalPages"] = "\(max(1, (records.count + 4) / 5))"
            records = Array(records.prefix(5))
        }
        expectAll(events, days: 12)
        #expect(testMirror.questions.count == 3)
        #expect(testMirror.questions.allSatisfy { $0.contains("page=1&") })
        try await testMirror.audit()
    }

    @Test("An answer that is no answer is made good by the site's own list after an hour")
    func articles() async throws {
        let testMirror = try TestMirror(days: 4)
        testMirror.nasa.answer(FakeNASA.base, .json("{\"code\":\"ok\"}"))
        _ = try await testMirror.attempt()
        testMirror.clock.pass(3600)
        let events = try await testMirror.sync()
        expectAll(events)
        #expect(events.first { $0.words == "noted" }?.why?.contains("NASA's list of articles stands in") == true)
        for back in 0..<4 {
            let entry = testMirror.nasa[ago(back)]!
            #expect(try testMirror.bytes(entry.day, "jpg") == entry.files[0].original?.bytes)
        }
        try await testMirror.audit()
    }

    @Test("An answer for which the site's own list stands in changes nothing of what is here")
    func secondLook() async throws {
        let testMirror = try TestMirror(days: 4)
        try await testMirror.sync()
        testMirror.nasa[today]?.title = "Corrected"
        testMirror.nasa.answer(FakeNASA.base, .html(502))
        _ = try await testMirror.attempt()
        testMirror.clock.pass(3600)
        #expect(try await testMirror.sync().words == ["noted"])
        testMirror.nasa.intercept = nil
        try await testMirror.sync()
        #expect(try testMirror.status(today)?.stored?.title == "Corrected")
    }

    @Test("An answer that makes no sense is an outage where no day is missing that could be asked for by itself")
    func nothingMissing() async throws {
        let testMirror = try TestMirror(days: 3)
        try await testMirror.sync()
        testMirror.nasa.intercept = { $0.path.hasPrefix(FakeNASA.base) ? .json("{}") : .html(404) }
        let (events, error) = try await testMirror.attempt()
        #expect(error?.kind == .upstream)
        #expect(events.words == ["2026-11-18 to 2026-11-20 unanswered"])
    }
}
