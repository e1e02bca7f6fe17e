import Apod
import Files
import HTTP
import Store
import TestSupport
import Testing

@testable import Serving

struct OldSiteTests {
    private func mirror() async throws -> ServedMirror {
        let mirror = try ServedMirror()
        for date in ["2026-11-18", "2026-11-20"] { try await mirror.add(date, "Rising &lt;b&gt; &amp; \\\"more\\\"") }
        let video = ServedMirror.record("2026-11-19", "Clouds").replacing("\"image\"", with: "\"video\"")
        try await mirror.add(
            video.replacing("Image Credit & Copyright", with: "Image Credit"),
            [.init(role: .video, type: .mp4, address: "https://assets.science.nasa.gov/content/dam/x/Clouds.mp4")])
        try mirror.publish()
        return mirror
    }

    @Test("The old site has the newest day's page, in the order that programs look for")
    func newest() async throws {
        let mirror = try await mirror()
        let page = try mirror.text("/apod/astropix.html")
        for path in ["/apod/", "/apod/ap261120.html"] { #expect(try mirror.text(path) == page) }
        #expect(try mirror.answer("/apod").headers.first?.value == "/apod/")
        var rest = page[...]
        for part in [
            "<title> APOD: 2026 November 20 - Rising &lt;b&gt; &amp; &quot;more&quot;", "<center>",
            "\n2026 November 20\n<br>", "<a href=\"image/2611/Pic%202026-11-20.jpg\">",
            "<IMG SRC=\"image/2611/Pic%202026-11-20.jpg\" alt=\"\"", "</center>", "<center>", "<b> Rising &lt;b&gt;",
            "<b> Image Credit & <a href=\"lib/about_apod.html#srapply\">Copyright</a>: </b>", "Anna &amp; Bert",
            "</center>", "<b> Explanation: </b>", "Why does it shine?", "<b> Tomorrow's picture: </b>",
            "<a href=\"ap261119.html\">&lt;</a>",
        ] {
            let range = try #require(rest.firstRange(of: part), "\(part)")
            rest = rest[range.upperBound...]
        }
        #expect(!page.contains("ap261121.html"))
    }

    @Test("The old site has its pictures and videos, under its own names")
    func pictures() async throws {
        let mirror = try await mirror()
        let video = try mirror.text("/apod/ap261119.html")
        #expect(video.contains("<source src=\"image/2611/Clouds.mp4\" type=\"video/mp4\">"))
        #expect(video.contains("<b> Image Credit: </b>"))
        #expect(try mirror.answer("/apod/image/2611/Clouds.mp4").type == "video/mp4")
        for path in ["/apod/x", "/apod/ap261121.html", "/apod/ap991399.html", "/apod/ap261120.html/x"] {
            #expect(try mirror.status(path) == 404, "\(path)")
        }
    }

    @Test(
        "The old site leads a name that NASA's old service told to the picture of that size or a larger one",
        arguments: [
            ("2611/Pic%202026-11-18.jpg", "18"), ("2611/Pic%202026-11-18_960.jpg", "18"),
            ("2611/Pic%202026-11-18_1024c.jpg", "18"), ("2611/Pic%202026-11-18-4000.png", "18"),
            ("2611/Pic%202026-11-2_1024.jpg", "20"), ("2611/Pic%202026-11-21_960.jpg", nil), ("2611/Pic_1024.jpg", nil),
            ("2610/Pic%202026-11-18_960.jpg", nil), ("2611/Clouds_960.jpg", nil), ("2611/1024.jpg", nil),
            ("2611/Orion_2048.jpg", "17"), ("2611/Orion_deep_960.jpg", "16"), ("2611/Second_960.jpg", "15"),
            ("2611/.jpg", nil), ("2610/Clouds.mp4", nil), ("2611/x.jpg", nil), ("2611/", nil),
        ])
    func sizes(name: String, day: String?) async throws {
        let mirror = try await mirror()
        for (date, name) in [("2026-11-16", "Orion_deep.jpg"), ("2026-11-17", "Orion_4000.jpg")] {
            let address = "https://assets.science.nasa.gov/content/dam/x/\(name)"
            try await mirror.add(
                ServedMirror.record(date, "Orion"),
                [.init(role: .picture, type: .jpeg, address: address, bytes: "picture of \(date)".bytes)])
        }
        // A smaller copy of the first picture is none of the second.
        try await mirror.add(
            ServedMirror.record("2026-11-15", "Two"),
            [
                ServedMirror.jpeg("2026-11-15"),
                .init(
                    role: .also(2), type: .jpeg,
                    address: "https://assets.science.nasa.gov/content/dam/x/Second_4000.jpg",
                    bytes: "picture of 2026-11-15".bytes),
            ])
        let first = Digest(of: "picture of 2026-11-15".bytes)
        try mirror.archive.catalog.record(
            .init(PictureKey(Day("2026-11-15")!), source: first, version: 1, screenBytes: 1))
        try mirror.publish()
        let answer = try mirror.answer("/apod/image/\(name)")
        #expect(answer.status == (day == nil ? 404 : 200))
        if let day { #expect(try answer.content == "picture of 2026-11-\(day)".bytes) }
    }

    @Test("The old site lists all days, and the newest in a feed")
    func lists() async throws {
        let mirror = try await mirror()
        for path in ["/apod/archivepix.html", "/apod/archivepixFull.html"] {
            let lines = try mirror.text(path).split(separator: "\n").filter { $0.contains("<br>") }
            #expect(lines.count == 3)
            #expect(lines[1] == "2026 November 19:  <a href=\"ap261119.html\">Clouds</a><br>")
        }
        let feed = try mirror.text("/apod.rss")
        #expect(feed.contains("<link>http://nas:8095/apod/ap261120.html</link>"))
        #expect(feed.contains("&lt;img src=&quot;http://nas:8095/2026/11/"))
        for number in 10...17 { try await mirror.add("2026-11-\(number)", "Clouds") }
        try mirror.publish()
        #expect(try mirror.text("/apod.rss").split(separator: "<item>").count == 1 + 7)
    }
}
