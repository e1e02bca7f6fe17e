import Apod
import HTTP
import Serving
import Store
import TestSupport
import Testing
import Upstream

struct BasicTests {
    private static let base = "/wp-json/wp/v2/apod-basic"

    @Test("APOD Basic has the record as it came, with its media led here and back")
    func record() async throws {
        let mirror = try await ServedMirror("2026-11-20")
        let served = try mirror.text("\(Self.base)/261120")
        let original = ServedMirror.record("2026-11-20", "Orion Rising")
        #expect(served.contains("http:\\/\\/nas:8095\\/dynamicimage\\/assets\\/science"))
        #expect(served.contains("http://nas:8095/apod/image/2611/x.jpg"))
        let back = MediaAddresses.ledBack(from: "http://nas:8095", served.dropLast().bytes[...])
        #expect(back.text == original)
        #expect(try mirror.answer("\(Self.base)/261120/html").type == "text/html; charset=utf-8")
        #expect(try mirror.text("\(Self.base)/261120/html").hasPrefix("<center>2026-11-20"))
    }

    @Test("APOD Basic ends nobody's asking for a day that is only missing here")
    func missing() async throws {
        let mirror = try await ServedMirror("2026-11-20")
        try await mirror.archive.record(Item(.day(day("2026-11-10")), .absent))
        try mirror.publish()
        for (path, status, code) in [
            ("/261110", 404, "apod_basic_not_found"), ("/261111", 404, "apod_mirror_not_here"),
            ("/950616", 404, "apod_mirror_not_here"), ("/today", 404, "rest_no_route"),
            ("/261120/x", 404, "rest_no_route"), ("?page=0", 400, "rest_invalid_param"),
            ("?date_from=2026-11-20", 400, "rest_invalid_param"), ("?per_page=x", 400, "rest_invalid_param"),
        ] {
            let answer = try mirror.answer(Self.base + path)
            let body = try JSONText(try answer.content)
            #expect(answer.status == status && body["code"]?.string == code, "\(path)")
        }
    }

    @Test("APOD Basic lists days newest first, in pages")
    func pages() async throws {
        let dates = (1...9).map { "2026-10-0\($0)" } + (10...30).map { "2026-10-\($0)" }
        let mirror = try ServedMirror()
        for date in dates { try await mirror.add(date) }
        try mirror.publish()
        func list(_ query: String) throws -> (dates: [String], total: String?, pages: String?) {
            let answer = try mirror.answer("\(Self.base)?\(query)")
            let elements = try #require(try JSONText(try answer.content).elements)
            func header(_ name: String) -> String? { answer.headers.first { $0.name == name }?.value }
            return (elements.compactMap { $0["date"]?.string }, header("X-WP-Total"), header("X-WP-TotalPages"))
        }
        let newest = Array(dates.reversed())
        #expect(try list("") == (Array(newest.prefix(25)), "30", "2"))
        #expect(try list("page=2") == (Array(newest.suffix(5)), "30", "2"))
        #expect(try list("page=3").dates == [] && list("per_page=100").dates.count == 25)
        #expect(try list("per_page=2&page=15") == (["2026-10-02", "2026-10-01"], "30", "15"))
        let window = try list("page=1&per_page=25&date_from=261005&date_to=261008")
        #expect(window == (["2026-10-08", "2026-10-07", "2026-10-06", "2026-10-05"], "4", "1"))
    }

    @Test("APOD Basic has the media under NASA's paths")
    func media() async throws {
        let mirror = try await ServedMirror("2025-12-31", "2026-11-20")
        let path = "/content/dam/science/cds/apod/apod/2026/month/Pic%202026-11-20.jpg"
        for path in [path, path.replacing("/content/dam/", with: "/dynamicimage/assets/") + "?w=1024&fit=clip"] {
            let answer = try mirror.answer(path)
            #expect(try answer.content == "picture of 2026-11-20".bytes && answer.type == "image/jpeg")
        }
        let older = path.replacing("2026-11-20", with: "2025-12-31").replacing("/2026/", with: "/2025/")
        #expect(try mirror.answer(older).content == "picture of 2025-12-31".bytes)
        for wrong in ["/content/dam/", "/content/dam/other.jpg", path + "x", "/dynamicimage/x", "/vi/abc/0.jpg"] {
            #expect(try mirror.answer(wrong).status == 404, "\(wrong)")
        }
    }
}
