import Apod
import Configuration
import Files
import Store
import TestMirror
import TestSupport
import Testing

struct KeptJSONTests {
    private func lines(_ bytes: [UInt8]) -> [Substring] {
        bytes.text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The names right inside the document, in their order.
    private func keys(_ bytes: [UInt8], indent: String = "  ") -> [String] {
        lines(bytes).filter { $0.hasPrefix("\(indent)\"") }.map { String($0.split(separator: "\"")[1]) }
    }

    @Test("A day's JSON has its fields in order, tells of each file, and ends with the record as it came")
    func order() async throws {
        var entry = Entry(TestMirror.today, .video, title: "Night Clouds")
        entry.credit = "<b>Image Credit &amp; Copyright:</b> Ada Quill"
        entry.alt = "A lantern."
        let testMirror = try TestMirror([entry])
        try await testMirror.sync()
        let bytes = try testMirror.bytes(entry.day, "json")
        #expect(
            keys(bytes) == [
                "date", "title", "explanation", "url", "media_type", "copyright", "thumbnail_url", "service_version",
                "permalink", "credit", "copyrighted", "alt", "mirror", "upstream",
            ])
        #expect(keys(bytes, indent: "    ") == ["fetched", "downgraded", "files"])
        #expect(
            keys(bytes, indent: "        ").prefix(8) == [
                "name", "role", "url", "bytes", "sha256", "type", "width", "height",
            ])
        #expect(bytes.suffix(2) == "}\n".bytes)
        let json = try testMirror.json(entry.day)
        #expect(json["upstream"]?.bytes.elementsEqual(testMirror.nasa.record(entry.day)!) == true)
        let files = try #require(json["mirror"]?["files"]?.elements)
        #expect(files.map { $0["role"]?.string } == ["video", "poster"])
        #expect(files[1]["width"]?.integer == 640 && files[1]["height"]?.integer == 480)
        for (file, served) in zip(files, entry.files) {
            #expect(file["url"]?.string == testMirror.nasa.origin + Entry.originals + served.path)
        }
        #expect(json["thumbnail_url"]?.string == files[1]["url"]?.string)
    }

    @Test("A day's JSON is what programs for the old service expect, whatever the media are")
    func kinds() async throws {
        let testMirror = try TestMirror([
            Entry(ago(0), title: "Saturn's \"Moon\" & More"), Entry(ago(1), .youTube(id: "abcdefgh")),
            Entry(ago(2), .text), Entry(ago(3), .placeholder),
        ])
        let events = try await testMirror.sync()
        let original = testMirror.nasa.origin + Entry.originals + testMirror.nasa[ago(0)]!.files[0].path
        let player = "http://www.youtube.com/embed/abcdefgh"
        for (age, state, type, url, roles) in [
            (0, "mirrored", "image", original, ["picture"]), (1, "mirrored", "video", player, ["page", "poster"]),
            (2, "placeholder", "other", nil, []), (3, "placeholder", "other", nil, []),
        ] as [(Int, String, String, String?, [String])] {
            let json = try testMirror.json(ago(age))
            #expect(events[ago(age)] == state && json["media_type"]?.string == type)
            #expect(json["url"]?.string?.split(separator: "?").first.map(String.init) == url)
            #expect(json["mirror"]?["files"]?.elements?.map { $0["role"]?.string } == roles)
            #expect(json["hdurl"]?.string == (age == 0 ? original : nil) && json["service_version"]?.string == "v1")
        }
        let json = try testMirror.json(ago(0))
        #expect(json["title"]?.string == "Saturn's \"Moon\" & More" && json["thumbnail_url"] == nil)
        #expect(json["explanation"]?.string?.contains("<") == false)
        #expect(json["mirror"]?["fetched"]?.string == "2026-11-20T12:00:00Z")
    }
}
