import Apod
import Files
import HTTP
import Store
import TestSupport
import Testing

@testable import Serving

struct V1Tests {
    private static let fields = """
        Allowed request fields for apod method are 'concept_tags', 'date', 'hd', 'count', 'start_date', 'end_date', 'thumbs'
        """

    @Test(
        "NASA's old service refuses what the old one refused, in its words",
        arguments: [
            (
                "Date must be between Jun 16, 1995 and Nov 20, 2026.",
                ["date=1995-06-15", "date=2026-11-21", "date=0001-02-28", "date=9999-12-31"]
            ),
            ("time data '2017-13-01' does not match format '%Y-%m-%d'", ["date=2017-13-01", "start_date=2017-13-01"]),
            ("time data '2017-1-1-1' does not match format '%Y-%m-%d'", ["date=2017-1-1-1"]),
            (
                "Count must be positive and cannot exceed 100",
                ["count=0", "count=101", "count=-1", "count=many", "count=99999999999999999999"]
            ), ("start_date cannot be after end_date", ["start_date=2026-11-20&end_date=2026-11-19"]),
            (
                "Bad Request: invalid field combination passed. \(fields)",
                [
                    "date=2026-11-20&count=1", "date=2026-11-20&start_date=2026-11-20", "count=1&start_date=2026-11-20",
                    "end_date=2026-11-20",
                ]
            ), ("Bad Request: incorrect field passed. \(fields)", ["dat=2026-11-20", "api_key=x&day=1"]),
            ("No data available for date: 2020-06-10", ["date=2020-06-10", "date=2020-06-10&api_key=DEMO_KEY"]),
        ])
    func refusals(words: String, queries: [String]) async throws {
        let mirror = try await ServedMirror("2026-11-19")
        for (query, path) in queries.flatMap({ query in ["/planetary/apod", "/v1/apod/"].map { (query, $0) } }) {
            let answer = try mirror.answer("\(path)?\(query)")
            let (body, code) = (try JSONText(try answer.content), words.hasPrefix("No data") ? 404 : 400)
            #expect(answer.status == code && body["code"]?.integer == code && body["msg"]?.string == words, "\(query)")
            #expect(answer.headers.contains { $0.name == "X-RateLimit-Remaining" && Int($0.value) ?? 0 > 0 })
        }
    }

    private func mirror() async throws -> ServedMirror {
        let mirror = try await ServedMirror("2026-11-17", "2026-11-18", "2026-11-20")
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
            + "\(Digest(of: "picture of 2026-11-20".bytes))"
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
        #expect(try dates("start_date=1995-06-16") == all)
        #expect(try dates("start_date=1995-06-16&end_date=2020-01-01") == [])
        #expect(try dates("count=100").sorted() == all)
        #expect(try dates("count=2").count == 2)
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
}
