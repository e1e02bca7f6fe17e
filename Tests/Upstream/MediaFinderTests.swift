import Apod
import TestSupport
import Testing

@testable import Upstream

struct MediaFinderTests {
    private static let hd = "https://h.example/dynamicimage/assets/p.png?w=800&h=600&fit=clip"
    private static let still = ["https://h.example/content/dam/p.png", hd]
    private static let logo = "https://h.example/themes/NASA-Meatball-2.png"

    private func finder(_ block: String, hdurl: String? = nil) -> MediaFinder {
        MediaFinder(DayPage(page(block)).block, at: address("https://h.example/image-article/x/"), hdurl: hdurl)
    }

    /// Addresses on the host, of what is shown first: an image, a film, or what only a browser plays.
    private static let shown: [(block: String, kind: Character, paths: [String])] = [
        (#"<A HREF="/a.JPG?x=1&amp;y=2"><img src="b c.gif">"#, "i", ["/a.JPG?x=1&y=2", "/image-article/x/b%20c.gif"]),
        (#"<a href="/a.pdf"><img src="/b.jpg"></a>"#, "i", ["/b.jpg"]),
        (#"<a href="/big.png"><img src="data:image/gif;base64,R0"></a>"#, "i", ["/big.png"]),
        (#"<img src="/nasa-logo@2x.png"><img src="/b.jpg"><img src="/c.jpg">"#, "i", ["/b.jpg"]),
        (#"<a href="/x.jpg">text only</a><img src="/b.jpg">"#, "i", ["/b.jpg"]),
        (#"<iframe src="about:blank"></iframe><img src="/b.jpg">"#, "i", ["/b.jpg"]),
        (#"<video src="/a.html"></video><img src="/b.jpg">"#, "i", ["/b.jpg"]),
        (#"<object data="/b.jpg"></object>"#, "i", ["/b.jpg"]),
        (#"<video><source src="javascript:1"><source src="/a.mp4"><source src="/b.webm"></video>"#, "v", ["/a.mp4"]),
        (#"<img src="/b.jpg"><iframe src="/e"></iframe><video src="/a.mp4">"#, "v", ["/a.mp4"]),
        (#"<iframe src="/a.mp4"></iframe>"#, "v", ["/a.mp4"]),
        (#"<video poster="/p.jpg" src="/a.mov">"#, "v", ["/a.mov", "/p.jpg"]),
        (#"<a href="/a.mov"><img src="/p.jpg"></a>"#, "v", ["/a.mov", "/p.jpg"]),
        (#"<object data="/pano.html"></object><img src="/b.jpg">"#, "e", ["/pano.html"]),
    ]

    @Test(
        "What a day shows is a film, else a frame, else the linked picture; then comes hdurl", arguments: shown.indices)
    func first(index: Int) {
        let (block, kind, paths) = Self.shown[index]
        let all = paths.map { "https://h.example\($0)" }
        for hdurl in [nil, Self.logo, Self.hd] {
            let rest = hdurl == Self.hd ? (all.count > 1 || kind == "i" ? Self.still.reversed() : Self.still) : []
            let size = rest.isEmpty ? (nil, nil) : (800, 600) as (Int?, Int?)
            let poster = source(Array(all.dropFirst()) + rest, size.0, size.1)
            let expected: Media =
                switch kind {
                case "i": image(all + rest, size.0, size.1)
                case "v": .video(address(all[0]), poster: poster)
                default: .embedded(address(all[0]), poster: poster)
                }
            #expect(finder(block, hdurl: hdurl).media == expected)
        }
    }

    @Test(
        "A frame of YouTube has the still of its film",
        arguments: [
            ("www.youtube.com/embed/abc_-45678?rel=0&x=1", "abc_-45678"), ("youtube.com/v/abc_-45678", "abc_-45678"),
            ("youtu.be/abc_-4", "abc_-4"), ("youtu.be/abc_-", nil), ("www.youtube.com/embed/%2e%2e%2fa?rel=0", nil),
        ])
    func youTube(place: String, id: String?) {
        let still = id.flatMap { source(["https://img.youtube.com/vi/\($0)/hqdefault.jpg"]) }
        let found = finder("<iframe src=\"//\(place.replacing("&", with: "&amp;"))\"></iframe>").media
        #expect(found == .embedded(address("https://\(place)"), poster: still))
    }

    @Test("What a day shows is hdurl where the block is empty, and nothing where that is a stand-in too")
    func empty() {
        #expect(finder("", hdurl: Self.hd).media == image(Self.still, 800, 600))
        #expect(finder("", hdurl: "/a.mp4").media == .video(address("https://h.example/a.mp4"), poster: nil))
        let sizeless = finder("", hdurl: "/content/dam/a.png?w=0&#038;h=0").media
        #expect(
            sizeless == image(["https://h.example/content/dam/a.png", "https://h.example/content/dam/a.png?w=0&h=0"]))
        for hdurl in [nil, Self.logo, "", "javascript:1", "/x.html", "/image-article/x/"] {
            #expect(finder("", hdurl: hdurl).media == .none)
        }
    }

    /// Shapes of the old pages, of the migrated ones, and some that nobody has written.
    private static let beside: [(block: String, found: [String])] = [
        (
            #"<a href="/a.jpg"><img src="/a_s.jpg" alt="See Explanation."></a><a href="/c.jpg"><img src="/c_s.jpg" alt="The &amp;quot;other&amp;quot;">"#,
            ["c.jpg c_s.jpg: The \"other\""]
        ),
        (
            #"<a href="image/a_big.jpg" onMouseOver="if (document.images) document.i.src='image/b.jpg';" onMouseOut="document.i.src='image/a.jpg';"><IMG SRC="image/a.jpg"></a>"#,
            ["over b.jpg"]
        ),
        (
            #"<a href='/content/dam/a.jpg' onMouseOver='document.i.src="/content/dam/b.jpg?w=9&amp;h=9"'><img src="/content/dam/a.jpg">"#,
            ["over b.jpg b.jpg"]
        ),
        (
            #"<area onmouseover="MM_swapImage('I','','/b.gif',1)"><area onmouseover="i.src='/c.gif'"><img src="/a.gif">"#,
            ["over b.gif", "over c.gif"]
        ),
        (
            #"<a href="/a.jpg" onMouseOver="window.status='Look: it is a.jpg'; i.src='javascript:1.jpg'"><img src="/a.jpg">"#,
            []
        ),
        (#"<img src="/l.jpg"><img src="/r.jpg"><img src="/l.jpg"><img src="/r.jpg?x=1">"#, ["r.jpg"]),
        (#"<img src="/dynamicimage/assets/a.jpg?w=9"><img src="/content/dam/a.jpg"><img src="/c.png">"#, ["c.png"]),
        (
            #"<img src="/a.jpg"><img src="/wp-content/x.png"><img src="/line.gif" height=31><img src="/b.gif" width="32"><img src="data:image/gif;base64,R0">"#,
            ["b.gif"]
        ),
        (
            #"<video poster="/p.jpg"><source src="/a.mp4"><img src="/no.jpg"></video><img src="/p.jpg"><img src="/q.jpg">"#,
            ["q.jpg"]
        ),
        (#"<a href="/a.mov"><img src="/still.jpg"></a><a href="/b.mov"><img src="/other.jpg"></a>"#, ["other.jpg"]),
        (#"<iframe src="/e"></iframe><img src="/content/dam/p.png"><img src="/b.jpg"><img src="">"#, ["b.jpg"]),
        ((1...12).map { "<img src=/\($0).jpg>" }.joined(), (2...9).map { "\($0).jpg" }),
    ]

    @Test("A day's further pictures stand beside the first, and none twice", arguments: beside)
    func further(block: String, found: [String]) {
        let hdurl = block.contains("/dam/p.png") ? Self.hd : nil
        let words = finder(block, hdurl: hdurl).further.map { further in
            let names = further.source.addresses.map { String($0.path.split(separator: "/").last ?? "") }
            return (further.isRollover ? "over " : "") + names.joined(separator: " ")
                + (further.alt.map { ": \($0)" } ?? "")
        }
        #expect(words == found)
    }

    @Test("A further picture is looked for beside the first where its address is one of the old site")
    func moved() {
        let folder = "/content/dam/science/cds/apod/apod/2006/december"
        let found = finder(
            """
            <A HREF="\(folder)/m42_big.jpg" onMouseOver="document.imagename1.src='image/0612/m42_labels.jpg';">
            <IMG SRC="\(folder)/m42_big.jpg"></A>
            <img src="http://apod.nasa.gov/apod/image/0612/m42_big.jpg"><img src="/image/m43.jpg">
            """
        ).further
        #expect(
            found.map { $0.source.addresses.map(\.path) } == [
                ["\(folder)/m42_labels.jpg", "/image-article/x/image/0612/m42_labels.jpg"], ["/image/m43.jpg"],
            ])
    }

    @Test(
        "What a day shows stands behind its date, however that is written, and nowhere else",
        arguments: [("June 3, 2015", true), ("<b>2015 Jun 03</b>", true), ("today", false)])
    func days(line: String, isDay: Bool) {
        let decoy = "<meta property='og:image' content='/no.jpg'><noscript><img src='/no.jpg'></noscript>"
        let html = page(
            "<img src=/b.jpg>", day: line, head: decoy, rest: isDay ? "<center>2015 June 4<br>\(decoy)</center>" : "")
        let expected = isDay ? image(["https://science.nasa.gov/b.jpg"]) : .none
        #expect(MediaFinder(DayPage(html).block, at: nil, hdurl: nil).media == expected)
    }
}
