import Apod
import Testing

@testable import Upstream

struct MediaFinderTests {
    private static let hd = "https://h.example/dynamicimage/assets/p.png?w=800&h=600&fit=clip"
    private static let hdOriginal = "https://h.example/content/dam/p.png"
    private static let logo = "https://h.example/themes/NASA-Meatball-2.png"

    private func media(_ block: String, hdurl: String? = nil) -> Media {
        MediaFinder(DayPage(page(block)).block, at: address("https://h.example/image-article/x/"), hdurl: hdurl).media
    }

    @Test(
        "What a day shows is the linked picture, then the smaller one, then hdurl",
        arguments: [
            (#"<a href="/a.jpg"><IMG SRC="/b.gif"></a>"#, ["https://h.example/a.jpg", "https://h.example/b.gif"]),
            (
                #"<A HREF="//c.example/a.JPG?x=1&amp;y=2"><img src="b.gif"></A>"#,
                ["https://c.example/a.JPG?x=1&y=2", "https://h.example/image-article/x/b.gif"]
            ),
            (#"<IMG SRC="http://c.example/a b.tif" alt="">"#, ["http://c.example/a%20b.tif"]),
            (#"<a href="/a.pdf"><img src="/b.jpg"></a>"#, ["https://h.example/b.jpg"]),
            (#"<a href="/big.png"><img src="data:image/gif;base64,R0"></a>"#, ["https://h.example/big.png"]),
            (#"<a href="/big.png"><img src="/wp-content/x.png"></a>"#, ["https://h.example/big.png"]),
            (#"<img src="/nasa-logo@2x.png"><img src="/b.jpg"><img src="/c.jpg">"#, ["https://h.example/b.jpg"]),
            (#"<a href="/x.jpg">text only</a><img src="/b.jpg">"#, ["https://h.example/b.jpg"]),
            (#"<iframe src="about:blank"></iframe><img src="/b.jpg">"#, ["https://h.example/b.jpg"]),
            (
                #"<!-- <img src="/no.jpg"> --><script>"<img src='/no.jpg'>"</script><img src="/b.jpg">"#,
                ["https://h.example/b.jpg"]
            ),
            (#"<object data="/b.jpg"></object>"#, ["https://h.example/b.jpg"]),
        ])
    func images(block: String, addresses: [String]) {
        #expect(media(block) == image(addresses))
        #expect(media(block, hdurl: Self.logo) == image(addresses))
        #expect(media(block, hdurl: Self.hd) == image(addresses + [Self.hd, Self.hdOriginal], 800, 600))
    }

    @Test(
        "What a day shows is a video file",
        arguments: [
            #"<video controls><source src="/a.mp4" type="video/mp4"></video>"#, #"<video src="/a.mp4"></video>"#,
            #"<video><source src="javascript:1"><source src="/a.mp4"><source src="/b.webm"></video>"#,
            #"<img src="/b.jpg"><iframe src="//x.example/e"></iframe><video src="/a.mp4">"#,
            #"<iframe src="/a.mp4"></iframe>"#, #"<embed src="/a.mp4">"#,
        ])
    func videos(block: String) {
        let film = address("https://h.example/a.mp4")
        #expect(media(block) == .video(film, poster: nil))
        #expect(media(block, hdurl: Self.logo) == .video(film, poster: nil))
        #expect(media(block, hdurl: Self.hd) == .video(film, poster: source([Self.hdOriginal, Self.hd], 800, 600)))
    }

    @Test("What a day shows has the poster that the video names before hdurl")
    func posters() {
        let film = address("https://h.example/a.mov")
        let posters = source(["https://h.example/p.jpg", Self.hd, Self.hdOriginal], 800, 600)
        #expect(media(#"<video poster="/p.jpg" src="/a.mov">"#, hdurl: Self.hd) == .video(film, poster: posters))
        #expect(media(#"<a href="/a.mov"><img src="/p.jpg"></a>"#, hdurl: Self.hd) == .video(film, poster: posters))
        let own = source(["https://h.example/p.jpg"])
        #expect(media(#"<a href="/a.mov"><img src="/p.jpg"></a>"#) == .video(film, poster: own))
    }

    @Test(
        "What a day shows plays only in a browser",
        arguments: [
            (
                #"<iframe src="//www.youtube.com/embed/abc_-45678?rel=0&amp;x=1"></iframe>"#,
                "https://www.youtube.com/embed/abc_-45678?rel=0&x=1", "abc_-45678"
            ),
            (#"<embed src="https://youtube.com/v/abc_-45678">"#, "https://youtube.com/v/abc_-45678", "abc_-45678"),
            (#"<iframe src="https://youtu.be/abc_-4"></iframe>"#, "https://youtu.be/abc_-4", "abc_-4"),
            (#"<iframe src="https://youtu.be/abc_-"></iframe>"#, "https://youtu.be/abc_-", nil),
            (
                #"<iframe src="https://www.youtube.com/embed/%2e%2e%2fa?rel=0"></iframe>"#,
                "https://www.youtube.com/embed/%2e%2e%2fa?rel=0", nil
            ),
            (#"<object data="/pano.html"></object><img src="/b.jpg">"#, "https://h.example/pano.html", nil),
        ])
    func embedded(block: String, expected: String, id: String?) {
        let still = id.flatMap { source(["https://img.youtube.com/vi/\($0)/hqdefault.jpg"]) }
        #expect(media(block) == .embedded(address(expected), poster: still))
        #expect(media(block, hdurl: Self.logo) == .embedded(address(expected), poster: still))
        let poster = source([Self.hdOriginal, Self.hd], 800, 600)
        #expect(media(block, hdurl: Self.hd) == .embedded(address(expected), poster: poster))
    }

    @Test("What a day shows is hdurl where the block is empty, and nothing where that is a stand-in too")
    func empty() {
        #expect(media("", hdurl: Self.hd) == image([Self.hdOriginal, Self.hd], 800, 600))
        #expect(media("", hdurl: "/a.mp4") == .video(address("https://h.example/a.mp4"), poster: nil))
        #expect(
            media("", hdurl: "/content/dam/a.png?w=0&#038;h=0")
                == image([
                    "https://h.example/content/dam/a.png", "https://h.example/content/dam/a.png?w=0&h=0",
                ]))
        for hdurl in [nil, Self.logo, "", "javascript:1", "file:///etc/passwd", "/x.html", "/image-article/x/"] {
            #expect(media("", hdurl: hdurl) == .none)
        }
    }

    private func further(_ block: String, hdurl: String? = nil) -> [String] {
        MediaFinder(DayPage(page(block)).block, at: address("https://h.example/image-article/x/"), hdurl: hdurl).further
            .map {
                let names = $0.source.addresses.map { $0.path.split(separator: "/").last.map(String.init) ?? "" }
                return ($0.isRollover ? "over " : "") + names.joined(separator: " ") + ($0.alt.map { ": \($0)" } ?? "")
            }
    }

    /// Shapes of the old pages, of the migrated ones, and some that nobody has written.
    private static let shapes: [(block: String, found: [String])] = [
        (#"<a href="/a.jpg"><IMG SRC="/b.jpg"></a>"#, []),
        (
            #"<a href="/a.jpg"><img src="/a_1024.jpg" alt="See Explanation. Click."></a><p><a href="/c.jpg"><img src="/c_1024.jpg" alt="The &amp;quot;other&amp;quot;"></a>"#,
            ["c.jpg c_1024.jpg: The \"other\""]
        ),
        // A rollover of the old pages, and one as the move has it.
        (
            #"<a href="image/a_big.jpg" onMouseOver="if (document.images) document.imagename1.src='image/b.jpg';" onMouseOut="if (document.images) document.imagename1.src='image/a.jpg';"><IMG SRC="image/a.jpg" name=imagename1 border=0></a>"#,
            ["over b.jpg"]
        ),
        (
            #"<a href='/content/dam/a_big.jpg' onMouseOver='document.imagename1.src="/content/dam/b.jpg?w=9&amp;h=9"' onMouseOut='document.imagename1.src="/dynamicimage/assets/a.jpg"'><img src="/content/dam/a.jpg" name="imagename1"></a>"#,
            ["over b.jpg b.jpg"]
        ),
        (#"<img src="/a.jpg" onmouseover="this.src='/b.jpg'" onmouseout="this.src='/a_960.jpg'">"#, ["over b.jpg"]),
        (
            #"<a href="/x.html" onMouseOver="MM_swapImage('Image1','','/b.jpg',1)" onMouseOut="MM_swapImgRestore()"><img src="/a.jpg" name="Image1"></a>"#,
            ["over b.jpg"]
        ),
        (
            #"<map name=m><area href="/x.html" onmouseover="document.i.src='/b.gif'"><area onmouseover="document.i.src='/c.gif'"></map><img src="/a.gif" usemap="x">"#,
            ["over b.gif", "over c.gif"]
        ),
        (#"<a href="/a.jpg" onMouseOver="window.status='Look: it is a.jpg'; return true"><img src="/a.jpg"></a>"#, []),
        (#"<a href="/a.jpg" onMouseOver="document.i.src='javascript:1.jpg'"><img src="/a.jpg"></a>"#, []),
        (#"<img src="/a.jpg" onMouseOver="window.status='Barnard\'s Loop'; this.src='/b.jpg'">"#, ["over b.jpg"]),
        // Stereo pairs and panels.
        (#"<img src="/l.jpg"><img src="/r.jpg"><img src="/l.jpg"><img src="/r.jpg?x=1">"#, ["r.jpg"]),
        (#"<img src="/dynamicimage/assets/a.jpg?w=9"><img src="/content/dam/a.jpg"><img src="/c.png">"#, ["c.png"]),
        // Stand-ins, buttons, and texts of others.
        (
            #"<img src="/a.jpg"><img src="/wp-content/x.png"><img src="/NASA-Meatball.png"><img src="/nasa-logo.svg"><img src="/line.gif" height=2><img src="/dot.gif" width="1" height="1"><img src="data:image/gif;base64,R0">"#,
            []
        ),
        (
            #"<video><source src="/a.mp4"><img src="/fallback.jpg"></video><a href="/b.jpg"><img src="/b_s.jpg"></a>"#,
            ["b.jpg b_s.jpg"]
        ),
        (#"<video src="/a.mp4" poster="/p.jpg"></video><img src="/p.jpg"><img src="/q.jpg">"#, ["q.jpg"]),
        (#"<a href="/a.mov"><img src="/still.jpg"></a><a href="/b.mov"><img src="/other.jpg"></a>"#, ["other.jpg"]),
        (#"<iframe src="https://x.example/e"></iframe><img src="/b.jpg">"#, ["b.jpg"]),
        (#"<object><param name="movie" value="/a.swf"></object><img src="/a.jpg"><img src="/b.jpg">"#, ["b.jpg"]),
        ((1...12).map { "<img src=/\($0).jpg>" }.joined(), (2...9).map { "\($0).jpg" }),
        (#"<a href="/x.pdf"><img src="/a.jpg"></a><a href="/y.tif"><img src="/b.jpg"></a>"#, ["y.tif b.jpg"]),
        (#"<img src="/image-article/x/"><img src="/a.jpg"><img src="">"#, []),
    ]

    @Test("What a day shows is more than one picture", arguments: shapes)
    func beside(block: String, found: [String]) { #expect(further(block) == found) }

    @Test("What a day shows is the still of hdurl where nothing is beside it")
    func still() {
        #expect(
            further(#"<iframe src="https://x.example/e"></iframe><img src="/content/dam/p.png">"#, hdurl: Self.hd) == []
        )
        #expect(further(#"<a onmouseover="this.src='/b.jpg'">x</a>"#, hdurl: Self.hd) == ["over b.jpg"])
        #expect(further("", hdurl: Self.hd) == [])
    }

    @Test("What a day shows is looked for beside the first where its address is one of the old site")
    func moved() {
        let folder = "/content/dam/science/cds/apod/apod/2006/december"
        let block = """
            <A HREF="\(folder)/m42_big.jpg" onMouseOut="document.imagename1.src='image/0612/m42.jpg'"
            onMouseOver="if (document.images) document.imagename1.src='image/0612/m42_labels.jpg';">
            <IMG SRC="\(folder)/m42_big.jpg" name=imagename1></A>
            <img src="http://apod.nasa.gov/apod/image/0612/m42_big.jpg"><img src="/image/m43.jpg">
            """
        let page = DayPage(page(block)).block
        let found = MediaFinder(page, at: address("https://h.example/image-article/x/"), hdurl: nil).further
        #expect(
            found.map { $0.source.addresses.map(\.description) } == [
                [
                    "https://h.example\(folder)/m42_labels.jpg",
                    "https://h.example/image-article/x/image/0612/m42_labels.jpg",
                ], ["https://h.example/image/m43.jpg"],
            ])
    }

    @Test("What a day shows is never in the head, the explanation, or a block without a day")
    func decoys() {
        let head = #"<meta property="og:image" content="/no.jpg"><link href="/no.jpg"><noscript><img src="/no.jpg">"#
        let rest = #"<a href="/no.jpg">x</a><img src="/no.jpg"><center>2015 June 4<br><img src="/no.jpg"></center>"#
        let html = page("", head: head, rest: rest)
        #expect(MediaFinder(DayPage(html).block, at: nil, hdurl: nil).media == .none)
        #expect(
            MediaFinder(DayPage(page(#"<img src="/a.jpg">"#, day: "today")).block, at: nil, hdurl: nil).media == .none)
    }

    @Test(
        "What a day shows is found whatever way the day is written",
        arguments: ["2015 June 3", "June 3, 2015", "<b>2015 Jun 03</b>"])
    func days(line: String) {
        let html = "<center>Logo<img src=/no.jpg></center><center>\(line) <a href=/a.jpg><img src=/b.jpg></a></center>"
        let expected = image(["https://science.nasa.gov/a.jpg", "https://science.nasa.gov/b.jpg"])
        #expect(MediaFinder(DayPage(html).block, at: nil, hdurl: nil).media == expected)
    }
}
