import Apod
import Testing

@testable import Upstream

struct HTMLTextTests {
    @Test(
        "HTML becomes one clean line of text",
        arguments: [
            ("Saturn&#039;s &#8220;Friends&#8221;", "Saturn's “Friends”"),
            ("Q&amp;#039;A", "Q&#039;A"), ("AT&T, a < b and 3 <4", "AT&T, a < b and 3 <4"), ("<img src=x>", ""),
            ("It&#146;s &#150; old &#128;&#159;&#129;x", "It’s – old €Ÿ x"),
            (" two\n\t lines&nbsp;\u{a0} here ", "two lines here"),
            ("an inner-<a href='x'>Solar System</a> visitor", "an inner-Solar System visitor"),
            ("one<br>two<p>three</p>four", "one two three four"),
            ("<a>Moon</a> , <a>Io</a> . And <a>on</a> !”", "Moon, Io. And on!”"),
            ("<a>Saturn</a> 's moon, <a>Io</a> ’s too", "Saturn's moon, Io’s too"),
            ("the 's10 rocket, a .5 m dish", "the 's10 rocket, a .5 m dish"),
            ("a<!-- no --><script>no()</script><style>p{}</style>b", "ab"),
            ("sa\u{202e}fe\u{200b} \u{7}te\u{feff}xt\u{0} M&#x202e;31 &zwj;", "safe text M31"),
        ])
    func text(html: String, expected: String) { #expect(HTMLText(html).text == expected) }

    @Test(
        "An explanation has no label, and begins at its label where notices stand before that",
        arguments: [
            "", "2026 November 20<br><b>Tomorrow's picture:</b> x<br>", "<p>Tomorrow&#8217;s picture: x</p>",
            "<br><b>Free Download:</b> Calendar<br>Two <b>bold</b> words<br>",
        ],
        ["<b> Explanation </b>:", "<br>Explanation:", "<p><b>EXPLANATION&nbsp;:</b></p><p>"])
    func label(notices: String, label: String) {
        let html = "\(notices)\(label) The sky. <b>It</b> is dark.<br><b>Tomorrow's picture:</b> Explanation: y"
        #expect(HTMLText(html).explanation == "The sky. It is dark.")
    }

    @Test(
        "An explanation ends before the notices",
        arguments: [
            "<br><br><strong>Tomorrow's picture:\u{a0}</strong>x", "<p>Tomorrow&#8217;s picture: x</p>",
            " <strong>Tomorrow's picture:</strong> x", "<br>Tomorrow's picture:\u{301} x",
            "<br><br><strong>APOD's main NASA site is <a href=x>moving</a>:</strong> From a to b<br>More",
            "<p><b>FREE DOWNLOAD:</b> APOD 2017 Calendar</p>",
            "<br><br><b> Gallery: </b> More pictures<br><b>Tomorrow's picture:</b> x", "<br>Open Science: Browse codes",
        ])
    func notices(tail: String) {
        #expect(HTMLText("<b>Explanation:</b> The sky. It is dark .\(tail)").explanation == "The sky. It is dark.")
        // Behind lines that are no notices, too.
        let news = "<br><br><b>News:</b> It is <b>dark</b> .<p>And more."
        #expect(
            HTMLText("The sky.\(news)\(tail)").explanation == "The sky. News: It is dark. And more.")
    }

    @Test(
        "An explanation keeps what is like a label or a notice, and is none",
        arguments: [
            ("<b>Gallery:</b> x<br>Explanation of the sky: none.", "Gallery: x Explanation of the sky: none."),
            ("The sky.<br><b>Explanation:</b> None.", "The sky. Explanation: None."),
            ("The <b>gallery:</b> x<br><b>Explanation:</b> None.", "The gallery: x Explanation: None."),
            ("<b>Explanation:</b> <b>Gallery:</b> x<br><b>Explanation:</b> y", "Gallery: x Explanation: y"),
            ("<b>Explanation:</b> <br><br><b>Gallery:</b> the best.", "Gallery: the best."),
            ("<b>Tomorrow's picture:</b> x", ""), ("Explanation:\u{301} x", "\u{301} x"),
        ])
    func unlike(html: String, text: String) { #expect(HTMLText(html).explanation == text) }

    @Test(
        "A credit tells who, and whether it says copyright",
        arguments: [
            ("<b> Image Credit: </b> <a href=x>NASA</a> , <a href=y>ESA</a>", "NASA, ESA", false),
            ("<b> Image Credit &amp; <a href=x>Copyright</a>: </b> Ann", "Ann", true),
            ("Video Credit: Ann; <b>Music & Copyright:</b> Bob", "Ann; Music & Copyright: Bob", true),
            ("<b>Image Credit:</b>", "", false),
            ("Image Credit:\u{301}Ann &copy;\u{fe0f} Bob", "\u{301}Ann ©\u{fe0f} Bob", true),
            ("Ann (c) Bob", "Ann (c) Bob", false), ("© Ann", "© Ann", true),
        ])
    func credit(html: String, who: String, isCopyrighted: Bool) {
        #expect(HTMLText(html).credit == who && HTMLText(html).isCopyrighted == isCopyrighted)
    }

    private static let links: [(html: String, parts: String)] = [
        (
            "<b>Explanation:</b> <a href=\"ap051120.html\">It</a> is it.",
            "[It](https://apod.nasa.gov/apod/ap051120.html)| is it."
        ),
        (
            "The <a href=\"https://a.example/\"> Sun </a>, and <a href=\"https://b.example/\">a\nstar</a>",
            "The |[Sun](https://a.example/)|, and |[a star](https://b.example/)"
        ),
        (
            "Do <a href=\"javascript:alert(1)\">not</a> <a href=\"data:text/html,x\">go</a> <a>there</a>",
            "Do not go there"
        ),
        ("A <a href=\"https://a.example/\"><b id=x>b</b><script>c</script></a>", "A |[b](https://a.example/)"),
        ("A\u{d4e}<a href=\"https://a.example/\">\u{301}b</a>", "A\u{d4e}|[\u{301}b](https://a.example/)"),
        (
            "<a href=\"https://a.example/\">a <a href=\"https://b.example/\">b</a> c",
            "[a](https://a.example/)| |[b](https://b.example/)| c"
        ),
    ]

    private func parts(_ text: String, in html: String, _ field: String = "explanation") throws -> String {
        let linked = LinkedText(
            text,
            in: try JSONText(fields: [
                "permalink": .string("https://apod.nasa.gov/apod/ap261120.html"), field: .string(html),
            ]))
        #expect(linked.text.utf8.elementsEqual(text.utf8))
        return linked.parts.map { part in
            switch part {
            case .words(let words): words
            case .link(let words, let address): "[\(words)](\(address))"
            }
        }.joined(separator: "|")
    }

    @Test("The links of a text lead to the web, and stand where they stood", arguments: links.indices)
    func linked(index: Int) throws {
        let (html, parts) = Self.links[index]
        #expect(try self.parts(HTMLText(html).explanation, in: html).utf8.elementsEqual(parts.utf8))
        #expect(try self.parts(HTMLText(html).explanation, in: html, "credit").utf8.elementsEqual(parts.utf8))
    }

    @Test("The links of a text are left out where it is another than the record's, or longer than any")
    func noLinks() throws {
        for text in ["", "Another."] {
            #expect(try parts(text, in: "See <a href=\"https://a.example/x\">the Moon</a>.") == text)
        }
        for count in [19_999, 20_000] {
            let text = String(repeating: "x", count: count)
            let parts = try parts(text + "y", in: "\(text)<a href=\"https://a.example/\">y</a>")
            #expect(parts.contains("[y]") == (count == 19_999))
        }
    }
}
