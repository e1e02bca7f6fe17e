import Apod
import Catalog
import Files
import HTTP
import TestSupport
import Testing

@testable import Serving

struct V1Tests {
    private static let combination = """
        Bad Request: invalid field combination passed. Allowed request fields for apod method are 'concept_tags', \
        'date', 'hd', 'count', 'start_date', 'end_date', 'thumbs'
        """
    private static let field = """
        Bad Request: incorrect field passed. Allowed request fields for apod method are 'concept_tags', \
        'date', 'hd', 'count', 'start_date', 'end_date', 'thumbs'
        """
    private static let range = "Date must be between Jun 16, 1995 and Nov 20, 2026."

    @Test(
        "NASA's old service refuses what the old one refused, in its words",
        arguments: [
            ("date=1995-06-15", 400, range), ("date=2026-11-21", 400, range), ("date=0001-02-28", 400, range),
            ("date=9999-12-31", 400, range), ("date=2100-02-28", 400, range),
            ("date=2017-13-01", 400, "time data '2017-13-01' does not match format '%Y-%m-%d'"),
            ("date=2100-02-29", 400, "time data '2100-02-29' does not match format '%Y-%m-%d'"),
            ("date=today", 400, "time data 'today' does not match format '%Y-%m-%d'"),
            ("date=2017-1-1-1", 400, "time data '2017-1-1-1' does not match format '%Y-%m-%d'"),
            ("start_date=x", 400, "time data 'x' does not match format '%Y-%m-%d'"),
            ("count=0", 400, "Count must be positive and cannot exceed 100"),
            ("count=101", 400, "Count must be positive and cannot exceed 100"),
            ("count=-1", 400, "Count must be positive and cannot exceed 100"),
            ("count=many", 400, "Count must be positive and cannot exceed 100"),
            ("count=99999999999999999999", 400, "Count must be positive and cannot exceed 100"),
            ("start_date=2026-11-20&end_date=2026-11-19", 400, "start_date cannot be after end_date"),
            ("date=2026-11-20&count=1", 400, combination), ("date=2026-11-20&start_date=2026-11-20", 400, combination),
            ("count=1&start_date=2026-11-20", 400, combination), ("end_date=2026-11-20", 400, combination),
            ("dat=2026-11-20", 400, field), ("api_key=x&day=1", 400, field),
            ("date=2020-06-10", 404, "No data available for date: 2020-06-10"),
            ("date=2026-11-20&api_key=DEMO_KEY", 404, "No data available for date: 2026-11-20"),
        ])
    func refusals(_ query: String, _ code: Int, _ words: String) async throws {
        let mirror = try ServedMirror()
        try await mirror.add("2026-11-19")
        try mirror.publish()
        for path in ["/planetary/apod", "/v1/apod", "/v1/apod/"] {
            let answer = try mirror.answer("\(path)?\(query)")
            let body = try JSONText(try answer.content)
            #expect(answer.status == code && body["code"]?.integer == code)
            #expect(body["msg"]?.string == words && body["service_version"]?.string == "v1")
            #expect(answer.headers.contains { $0.name == "X-RateLimit-Remaining" && Int($0.value) ?? 0 > 0 })
        }
    }

    private func mirror() async throws -> ServedMirror {
        let mirror = try ServedMirror()
        for date in ["2026-11-17", "2026-11-18", "2026-11-20"] { try await mirror.add(date) }
        let video = ServedMirror.record("2026-11-19", "Clouds").replacing("\"image\"", with: "\"video\"")
        try await mirror.add(
            video,
            [
                .init(role: .page, type: .html, address: "https://www.youtube.com/embed/abc?rel=0"),
                .init(role: .poster, type: .jpeg, address: "https://img.youtube.com/vi/abc/hqdefault.jpg"),
            ])
        try await mirror.add(
            "{\"date\":\"2026-11-16\",\"title\":\"Words\",\"media_type\":\"other\"}", [], state: .placeholder)
        try mirror.publish()
        return mirror
    }

    @Test("NASA's old service answers with a day, its members in the old order")
    func day() async throws {
        let mirror = try await mirror()
        let file =
            "http://nas:8095/2026/11/2026-11-20%20Orion%20Rising.jpg?sha256="
            + "\(Digest(of: Array("picture of 2026-11-20".utf8)))"
        let expected = """
            {"copyright":"Anna & Bert","date":"2026-11-20","explanation":"Why does it shine?","hdurl":"\(file)",\
            "media_type":"image","service_version":"v1","title":"Orion Rising","url":"\(file)"}

            """
        for query in ["", "?date=2026-11-20", "?api_key=x&hd=True", "?date=2026-11-20&thumbs=True", "?date=&count="] {
            #expect(try mirror.text("/planetary/apod\(query)") == expected)
        }
        #expect(
            try mirror.json("/planetary/apod?concept_tags=True").members?["concepts"]?.string?.contains("off") == true)
        // The old service read dates as Python does.
        #expect(try mirror.json("/planetary/apod?date=2026-11-9").members?["msg"]?.string?.contains("11-09") == true)
    }

    @Test("NASA's old service answers with a video's page, and its still for who asks")
    func video() async throws {
        let mirror = try await mirror()
        let plain = try #require(try mirror.json("/v1/apod?date=2026-11-19").members)
        #expect(plain["url"]?.string == "https://www.youtube.com/embed/abc?rel=0")
        #expect(plain["hdurl"] == nil && plain["thumbnail_url"] == nil && plain["media_type"]?.string == "video")
        let still = try mirror.json("/v1/apod?date=2026-11-19&thumbs=True").members?["thumbnail_url"]?.string
        #expect(still?.hasPrefix("http://nas:8095/2026/11/2026-11-19%20Clouds.jpg?sha256=") == true)
        let words = try #require(try mirror.json("/v1/apod?date=2026-11-16&thumbs=True").members)
        #expect(words["media_type"]?.string == "other" && words["url"] == nil && words["thumbnail_url"] == nil)
    }

    @Test("NASA's old service answers with a range, oldest first, and with days by chance")
    func several() async throws {
        let mirror = try await mirror()
        let all = (16...20).map { "2026-11-\($0)" }
        func dates(_ query: String) throws -> [String] {
            try #require(try mirror.json("/planetary/apod?\(query)").elements).compactMap { $0["date"]?.string }
        }
        #expect(try dates("start_date=2026-11-17&end_date=2026-11-19") == ["2026-11-17", "2026-11-18", "2026-11-19"])
        #expect(try dates("start_date=2026-11-19") == ["2026-11-19", "2026-11-20"])
        #expect(try dates("start_date=2026-01-01&end_date=2026-01-31") == [])
        #expect(try dates("start_date=1995-06-16") == all)
        #expect(try dates("start_date=1995-06-16&end_date=2020-01-01") == [])
        #expect(try dates("count=100").sorted() == all)
        #expect(try Set((0..<50).flatMap { _ in try dates("count=1") }).isSubset(of: all))
        #expect(try Set((0..<100).flatMap { _ in try dates("count=2") }) == Set(all))
        #expect(try mirror.answer("/planetary/apod?count=2").caching == .never)
    }

    @Test("NASA's old service tells of a new day at once, and keeps to the address that was asked")
    func change() async throws {
        let mirror = try await mirror()
        _ = try mirror.text("/planetary/apod")
        try await mirror.add("2026-11-21", "Newer")
        try mirror.publish()
        #expect(try mirror.json("/planetary/apod")["date"]?.string == "2026-11-21")
        for origin in ["http://nas:8095", "https://apod.example.org"] {
            let body = try JSONText(try mirror.answer("/planetary/apod", origin: origin).content)
            #expect(body["url"]?.string?.hasPrefix("\(origin)/2026/11/") == true)
        }
    }

    @Test(
        "NASA's old service answers a year of real records as the old service did",
        .enabled(if: Places.shared != nil, "needs captured answers, beside the project"))
    func year() async throws {
        let path = try #require(Places.shared) + "/upstream/v1/talegriat-apods2017.json"
        let old = try #require(try JSONText(File.reading(path).contents(atMost: 1 << 20))["apods"]?.elements)
        let mirror = try ServedMirror()
        for record in old {
            try await mirror.add(try #require(Self.asSentNow(record)), [Self.picture(of: record)])
        }
        try mirror.publish()
        let query = "start_date=2017-01-01&end_date=2017-12-31&concept_tags=True"
        let answers = try #require(try mirror.json("/planetary/apod?\(query)").elements)
        let sorted = old.sorted { $0["date"]?.string ?? "" < $1["date"]?.string ?? "" }
        #expect(answers.count == 336 && sorted.count == 336)
        for (answer, record) in zip(answers, sorted) {
            let (answer, record) = (try #require(answer.members), try #require(record.members))
            let date = try #require(record["date"]?.string)
            #expect(Set(answer.keys) == Set(record.keys), "\(date)")
            for (name, value) in record where !["url", "hdurl"].contains(name) {
                #expect(Self.letters(answer[name]?.string) == Self.letters(value.string), "\(date) \(name)")
            }
            for name in ["url", "hdurl"] {
                let target = try #require(answer[name]?.string).dropFirst("http://nas:8095".count)
                #expect(try mirror.text(String(target)) == "picture of \(date)")
            }
        }
    }

    /// The old service kept spaces of all kinds, and sent some letters beyond ASCII as control characters.
    private static func letters(_ text: String?) -> [UInt8]? { text?.utf8.filter { 0x21...0x7e ~= $0 } }

    private static func picture(of record: JSONText) -> ServedMirror.Part {
        .init(
            role: .picture, type: .jpeg, address: record["hdurl"]?.string ?? "",
            bytes: Array("picture of \(record["date"]?.string ?? "")".utf8))
    }

    /// A record of the old service, as the new one sends it.
    private static func asSentNow(_ record: JSONText) throws -> String? {
        func escaped(_ name: String) -> String? {
            record[name]?.string?.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        }
        guard let date = record["date"]?.string, let title = escaped("title"), let words = escaped("explanation"),
            let address = record["hdurl"]?.string
        else { return nil }
        let mark = escaped("copyright") == nil ? "" : " & <a href='https://apod.nasa.gov/#srapply'>Copyright</a>"
        let credit = "<b> Image Credit\(mark): </b> \(escaped("copyright") ?? "NASA")"
        let members: [(String, JSON)] = [
            ("date", .string(date)), ("title", .string(title)), ("media_type", .string("image")),
            ("explanation", .string("<strong>Explanation:</strong> \(words)")), ("credit", .string(credit)),
            ("copyright", .string(credit)), ("hdurl", .string(address)),
            ("permalink", .string("https://science.nasa.gov/image-article/apod-\(date)/")),
        ]
        return String(decoding: JSON.object(members).compact, as: UTF8.self)
    }
}
