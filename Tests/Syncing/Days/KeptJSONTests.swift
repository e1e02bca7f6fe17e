import Apod
import Archive
import Configuration
import Files
import TestMirror
import TestSupport
import Testing

struct KeptJSONTests {
    private func lines(_ bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The names right inside the document, in their order.
    private func keys(_ bytes: [UInt8], indent: String = "  ") -> [String] {
        lines(bytes).filter { $0.hasPrefix("\(indent)\"") }.map { String($0.split(separator: "\"")[1]) }
    }

    @Test(
        "A day's JSON has its fields in their order, tells of each file what it is, and ends with the record as it came"
    )
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
        #expect(bytes.suffix(2) == Array("}\n".utf8))
        let json = try testMirror.json(entry.day)
        #expect(json["upstream"]?.bytes.elementsEqual(testMirror.nasa.record(entry.day)!) == true)
        let files = try #require(json["mirror"]?["files"]?.elements)
        #expect(files.map { $0["role"]?.string } == ["video", "poster"])
        #expect(files.map { $0["name"]?.string } == ["2026-11-20 Night Clouds.mp4", "2026-11-20 Night Clouds.jpg"])
        #expect(files.map { $0["type"]?.string } == ["video/mp4", "image/jpeg"])
        #expect(files.map { $0["bytes"]?.integer } == entry.files.map { $0.original!.count })
        #expect(files[1]["width"]?.integer == 640 && files[1]["height"]?.integer == 480)
        for (file, served) in zip(files, entry.files) {
            #expect(file["sha256"]?.string == "\(Digest(of: served.original!.bytes))")
            #expect(file["url"]?.string == testMirror.nasa.origin + Entry.originals + served.path)
        }
        #expect(json["thumbnail_url"]?.string == files[1]["url"]?.string)
    }

    @Test("A day's JSON is what programs for the old service expect, for a picture")
    func picture() async throws {
        let entry = Entry(TestMirror.today, title: "Saturn's \"Moon\" & More")
        let testMirror = try TestMirror([entry])
        try await testMirror.sync()
        let json = try testMirror.json(entry.day)
        let original = testMirror.nasa.origin + Entry.originals + entry.files[0].path
        #expect(json["date"]?.string == "2026-11-20")
        #expect(json["title"]?.string == "Saturn's \"Moon\" & More")
        #expect(json["url"]?.string == original)
        #expect(json["hdurl"]?.string == original)
        #expect(json["media_type"]?.string == "image")
        #expect(json["service_version"]?.string == "v1")
        #expect(json["thumbnail_url"] == nil)
        #expect(json["explanation"]?.string?.contains("<") == false)
        #expect(json["mirror"]?["fetched"]?.string == "2026-11-20T12:00:00Z")
    }

    @Test("A day's JSON tells of an embedded video where it plays")
    func embedded() async throws {
        let entry = Entry(TestMirror.today, .youTube(id: "abcdefgh"))
        let testMirror = try TestMirror([entry])
        try await testMirror.sync()
        let json = try testMirror.json(entry.day)
        #expect(json["url"]?.string?.contains("youtube.com/embed/abcdefgh") == true)
        #expect(json["media_type"]?.string == "video")
        #expect(json["mirror"]?["files"]?.elements?.map { $0["role"]?.string } == ["page", "poster"])
    }

    @Test("A day's JSON is there for a day without media", arguments: [Entry.Media.text, .placeholder])
    func text(media: Entry.Media) async throws {
        let testMirror = try TestMirror([Entry(TestMirror.today, media, title: "Words")])
        #expect(try await testMirror.sync()[TestMirror.today] == "placeholder")
        let json = try testMirror.json(TestMirror.today)
        #expect(testMirror.files(TestMirror.today) == ["2026-11-20 Words.json"])
        #expect(json["media_type"]?.string == "other")
        #expect(json["url"] == nil)
        #expect(json["mirror"]?["files"]?.elements?.count == 0)
    }
}
