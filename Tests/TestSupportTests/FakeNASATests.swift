import Apod
import TestSupport
import Testing

@Suite struct FakeNASATests {
    private let newest = Day("2026-11-20")!

    private func json(_ nasa: FakeNASA, _ target: String) async throws -> JSONText {
        try JSONText(await Curl.run(nasa.origin + FakeNASA.base + target).outputBytes)
    }

    private func dates(_ text: JSONText) -> [String] { text.elements?.compactMap { $0["date"]?.string } ?? [] }

    @Test("pages are newest first and end with an error")
    func pages() async throws {
        let nasa = try FakeNASA(Entry.days(60, newest: newest))
        #expect(dates(try await json(nasa, "")).count == 25)
        #expect(dates(try await json(nasa, "?per_page=99&date=2026-11-01")).first == "2026-11-20")
        #expect(dates(try await json(nasa, "?page=3")).count == 10)
        #expect(try await json(nasa, "?page=4")["code"]?.string == "rest_post_invalid_page_number")
        let range = try await json(nasa, "?date_from=261109&date_to=261110")
        #expect(dates(range) == ["2026-11-10", "2026-11-09"])
        let backwards = try await json(nasa, "?date_from=261110&date_to=261109")
        #expect(backwards["code"]?.string == "rest_invalid_param")
        let head = try await Curl.run("--head", nasa.origin + FakeNASA.base)
        #expect(head.output.contains("X-WP-Total: 60\r\nX-WP-TotalPages: 3\r\n"))
    }

    @Test("days come, change and go while it runs")
    func changes() async throws {
        let nasa = try FakeNASA(Entry.days(2, newest: newest))
        let later = newest.advanced(by: 1)
        #expect(try await json(nasa, "/\(later.compact)")["code"]?.string == "apod_basic_not_found")
        nasa.add(Entry(later, .video, title: "Before"))
        #expect(try await json(nasa, "/\(later.compact)")["title"]?.string == "Before")
        nasa[later]?.title = "After"
        #expect(try await json(nasa, "/\(later.compact)")["title"]?.string == "After")
        nasa[later] = nil
        #expect(dates(try await json(nasa, "")).first == "2026-11-20")
        nasa.intercept = { $0.attempt == 1 ? .html(503, retryAfter: "1") : nil }
        #expect(try await Curl.run(nasa.origin + "/feed/apod-basic/").output.contains("503"))
        #expect(try await Curl.run(nasa.origin + "/feed/apod-basic/").output.contains("<rss"))
    }

    @Test("a record is about as long as a real one, and its files are there")
    func record() async throws {
        let medias: [Entry.Media] = [
            .picture(.jpg), .picture(.png, .page), .picture(.gif), .picture(.jpg, .hdurl), .video,
            .youTube(id: "abc"), .text, .placeholder,
        ]
        for (index, media) in medias.enumerated() {
            let entry = Entry(newest.advanced(by: -index), media)
            let nasa = try FakeNASA([entry])
            #expect(9_000...13_000 ~= nasa.record(entry.day)!.count)
            for file in entry.files {
                let original = try await Curl.run(nasa.origin + Entry.originals + file.path)
                #expect(original.outputBytes == file.original?.bytes)
                let rendition = try await Curl.run("--fail", nasa.origin + Entry.renditions + file.path + "?w=1024")
                #expect(rendition.outputBytes == file.rendition?.bytes ?? [])
                #expect(rendition.status == (file.rendition == nil ? 22 : 0))
            }
        }
    }
}
