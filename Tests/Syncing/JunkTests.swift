import Apod
import Archive
import Catalog
import Syncing
import TestMirror
import TestSupport
import Testing

/// What is served with status 200 in the place of records.
enum Junk: String, CaseIterable, Sendable {
    /// Every field but the date is `false`.
    case hollow
    /// What NASA's old API answers since the move.
    case standIn
    /// The day's own address, around the site's words.
    case site

    func record(_ day: Day, of nasa: FakeNASA) -> String {
        switch self {
        case .hollow:
            let names = [
                "title", "permalink", "explanation", "credit", "copyright", "alt", "url", "hdurl", "basic_html",
            ]
            return #"{"date":"\#(day)",\#(names.map { #""\#($0)":false"# }.joined(separator: ","))}"#
        case .standIn:
            let logo = "\(nasa.origin)/wp-content/themes/x/nasa-logo@2x.png"
            return """
                {"date":"\(day)","title":"NASA Science","explanation":"Discover the cosmos! Each day another",\
                "url":"\(logo)","hdurl":"\(logo)","media_type":"image"}
                """
        case .site:
            let article = "\(nasa.origin)/image-article/apod-\(day.year)-\(day.monthName)-\(day.day)/"
            return #"{"date":"\#(day)","title":"NASA Science","permalink":"\#(article)","url":"\#(article)"}"#
        }
    }

    /// For all days, or only some.
    func begin(at nasa: FakeNASA, of isHit: @escaping @Sendable (Day) -> Bool = { _ in true }) {
        nasa.intercept = { [self, unowned nasa] request in
            if request.path == FakeNASA.articles { return .html(503) }
            guard request.path.hasPrefix(FakeNASA.base) else { return nil }
            func text(_ day: Day) -> String {
                isHit(day) ? record(day, of: nasa) : String(decoding: nasa.record(day)!, as: UTF8.self)
            }
            if let day = Day(compact: request.path.suffix(6)) { return isHit(day) ? .json(text(day)) : nil }
            let (from, to) = (
                request["date_from"].flatMap { Day(compact: $0) }!, request["date_to"].flatMap { Day(compact: $0) }!
            )
            let days = nasa.days.filter { from <= $0 && $0 <= to }.suffix(25).reversed()
            return .json("[\(days.map(text).joined(separator: ","))]")
        }
    }
}

struct JunkTests {
    private let today = TestMirror.today

    @Test(
        "Junk in the place of records changes nothing, is a failure of its day, and gives no day its name",
        arguments: Junk.allCases)
    func hour(junk: Junk) async throws {
        let testMirror = try TestMirror(days: 12)
        try await testMirror.sync(.missing(ago(11)...ago(1)))
        func documents() throws -> [[UInt8]] { try (1...11).map { try testMirror.bytes(ago($0), "json") } }
        let (before, tree) = (try documents(), testMirror.tree)
        junk.begin(at: testMirror.nasa)
        let events = try await testMirror.sync(.missing(ago(11)...today))
        #expect(events[today] == "failed for now" && testMirror.tree == tree)
        for age in 1...7 { #expect(events[ago(age)] == "failed for now") }
        // Whoever asks by name gets no junk, either.
        let asked = try await testMirror.sync(.days([today, ago(3)]))
        #expect(asked[today] == "failed for now" && asked[ago(3)] == "failed for now")
        #expect(try documents() == before && listing(testMirror[".apod-mirror/replaced"]).isEmpty)
        #expect(try testMirror.catalog.status(of: today)?.state == .failed)
        #expect(try testMirror.catalog.status(of: ago(1))?.state == .mirrored)
        testMirror.nasa.intercept = nil
        #expect(try await testMirror.sync(.missing(ago(11)...today))[today] == "mirrored")
        #expect(try documents() == before)
        try await testMirror.audit()
    }

    @Test("Junk in the place of records hides no other record of the same answer", arguments: Junk.allCases)
    func among(junk: Junk) async throws {
        let testMirror = try TestMirror(days: 5)
        junk.begin(at: testMirror.nasa) { $0 == ago(2) }
        let events = try await testMirror.sync(.missing(ago(4)...today))
        for age in 0...4 { #expect(events[ago(age)] == (age == 2 ? "failed for now" : "mirrored")) }
    }

    @Test("Junk in the place of records of a day that was stored before is read, and the next record takes its place")
    func stored() async throws {
        let testMirror = try TestMirror(days: 2)
        try await testMirror.sync()
        // As a former program stored it.
        let name = try #require(testMirror.files(today).first { $0.hasSuffix("json") })
        let junk = Junk.standIn.record(today, of: testMirror.nasa)
        let text = String(decoding: try testMirror.bytes(today, "json"), as: UTF8.self)
        let end = try #require(text.firstRange(of: #""upstream": "#))
        let title = try #require(try testMirror.json(today)["title"]?.string)
        try await testMirror.loseCatalog()
        try save(
            text[..<end.upperBound].replacing("\"title\": \"\(title)\"", with: "\"title\": \"NASA Science\"") + junk
                + "\n}\n",
            to: testMirror["2026/11/\(name)"])
        let before = try testMirror.bytes(today, "json")
        #expect(try testMirror.catalog.status(of: today)?.stored?.title == "NASA Science")
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(try testMirror.json(today)["title"]?.string == title)
        let former = ".apod-mirror/replaced/apod/\(name.dropLast(5))/1/\(name)"
        #expect(try JSONText(testMirror.bytes(former))["upstream"] == JSONText(before)["upstream"])
        try await testMirror.audit()
    }
}
