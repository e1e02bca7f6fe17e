import Apod
import Testing

@testable import Upstream

struct HTMLTextTests {
    @Test(
        "Text from HTML becomes one clean line",
        arguments: [
            ("Saturn&#039;s Moon &amp; &#8220;Friends&#8221;", "Saturn's Moon & “Friends”"),
            ("Q&amp;#039;A", "Q&#039;A"),
            ("AT&T & R & D", "AT&T & R & D"),
            ("a < b and 3 <4", "a < b and 3 <4"), ("", ""), ("<img src=x>", ""),
            ("It&#146;s &#150; old", "It’s – old"), ("&#128;&#159;&#129;x", "€Ÿ x"),
            (" two\n\t lines&nbsp;\u{a0} here ", "two lines here"),
            ("an inner-<a href='x'>Solar System</a> visitor", "an inner-Solar System visitor"),
            ("one<br>two<p>three</p>four", "one two three four"),
            ("<a>Moon</a> , <a>Io</a> . And <a>on</a> !”", "Moon, Io. And on!”"),
            ("see ( <a>Sh2-49</a> ), or ( that ) .", "see ( Sh2-49), or ( that)."),
            ("<a>Saturn</a> 's moon, <a>Io</a> ’s too", "Saturn's moon, Io’s too"),
            ("the 's10 rocket, a .5 m dish, version :x", "the 's10 rocket, a .5 m dish, version :x"),
            ("a<!-- no --><script>no()</script><style>p{}</style>b", "ab"),
            ("sa\u{202e}fe\u{200b} \u{7}te\u{feff}xt\u{0}", "safe text"),
            ("M&#x202e;31 &zwj;", "M31"),
            ("<b>unclosed <i>tags", "unclosed tags"),
            ("星雲 🌌 néb", "星雲 🌌 néb"),
        ])
    func text(html: String, expected: String) {
        #expect(HTMLText(html).text == expected)
    }

    @Test(
        "Text from HTML of an explanation has no label",
        arguments: [
            "<strong>Explanation:</strong> The sky.", "<strong>Explanation:\u{a0}</strong>The sky.",
            "<b>Explanation</b>: The sky.", "Explanation: The sky.", "The sky.",
            "<p><strong>EXPLANATION&nbsp;:</strong></p><p>The sky.</p>", "<b>Explanation:</b><br><br>The sky.",
        ])
    func label(html: String) {
        #expect(HTMLText(html).explanation == "The sky.")
    }

    @Test(
        "Text from HTML of an explanation ends before the notices",
        arguments: [
            "<br><br><strong>Tomorrow's picture:\u{a0}</strong>open space",
            "<br><b>Tomorrow&#8217;s picture:</b> open space",
            "<p>Tomorrow's picture: open space</p>",
            " <strong>Tomorrow's picture:</strong> open space",
            "<br><br><strong>APOD's main NASA site is <a href=x>moving</a>:</strong> From a to b<br>More",
            "<br>APOD's email for pictures has changed. See there",
            "<br/><br/><b> Retrospective: </b> <a href=x>All Previous</a> <br/>",
            "<br><br><a href=x><b>Follow APOD on:</b></a> this , that",
            "<br><br><b>Almost Hyperspace:</b> Random APOD Generator",
            "<br><b>Astrophysicists:</b> Browse 2,000+ codes in the Astrophysics Source Code Library",
            "<p><b>FREE DOWNLOAD:</b> APOD 2017 Calendar</p>",
            "<br><br><b> Gallery: </b> More pictures<br><b>Tomorrow's picture:</b> x",
            "<br>Open Science: Browse 1,400+ codes",
            "<br><br><b>APOD in other languages</b>: Arabic, Catalan",
        ])
    func notices(tail: String) {
        #expect(HTMLText("<b>Explanation:</b> The sky. It is dark .\(tail)").explanation == "The sky. It is dark.")
    }

    @Test(
        "Text from HTML of an explanation goes on behind a bold line that is no known notice, until one that is",
        arguments: ["News:", "Editor's Note:", "Correction"],
        ["", "<br><br><b>Tomorrow's picture:</b> x", "<p><b> Retrospective: </b>All"])
    func news(label: String, tail: String) {
        let html = "<b>Explanation:</b> The sky.<br><br><b>\(label)</b> It is <b>dark</b> .<p>And more.\(tail)"
        #expect(HTMLText(html).explanation == "The sky. \(label) It is dark. And more.")
    }

    @Test(
        "Text from HTML of an explanation begins at its label, where notices stand before that",
        arguments: [
            "Tomorrow's picture: open space<br>", "<p>Tomorrow&#8217;s picture: open space</p>",
            "<b>Tomorrow's picture: </b>open space ", "<br><b>Free Download:</b> Calendar<br>Two <b>bold</b> words<br>",
            "<b>Gallery:</b> More<br><b>Tomorrow's picture:</b> x<br>",
            "2026 November 20<br><b>Tomorrow's picture:</b> x<br>",
        ],
        [
            "<b> Explanation </b>:", "<br>Explanation:", "<p><b>EXPLANATION&nbsp;:</b></p><p>",
        ])
    func noticesBefore(notices: String, label: String) {
        let html = "\(notices)\(label) The sky. <b>It</b> is dark.<br><b>Tomorrow's picture:</b> Explanation: y"
        #expect(HTMLText(html).explanation == "The sky. It is dark.")
    }

    @Test(
        "Text from HTML of an explanation begins where it did, where no notice stands before a label or no label follows the notice",
        arguments: [
            ("Explanation of the sky: none.", "Explanation of the sky: none."),
            ("<b>Gallery:</b> Explanation: none.", "Gallery: Explanation: none."),
            ("<b>Gallery:</b> the <b>explanation</b> of it.", "Gallery: the explanation of it."),
            ("<b>Gallery:</b> x<br>Explanation of the sky: none.", "Gallery: x Explanation of the sky: none."),
            ("The sky.<br><b>Explanation:</b> None.", "The sky. Explanation: None."),
            ("<b>News:</b> x<br><b>Explanation:</b> None.", "News: x Explanation: None."),
            ("The <b>gallery:</b> x<br><b>Explanation:</b> None.", "The gallery: x Explanation: None."),
            ("<b>Explanation:</b> The sky.<br><b>Gallery:</b> x<br><b>Explanation:</b> y", "The sky."),
            ("<b>Explanation:</b> <b>Gallery:</b> x<br><b>Explanation:</b> y", "Gallery: x Explanation: y"),
            ("<b>Tomorrow's picture:</b> x", ""),
        ])
    func noNoticeBefore(html: String, text: String) {
        #expect(HTMLText(html).explanation == text)
    }

    @Test(
        "Text from HTML of an explanation keeps the beginnings of notices inside of its lines, and at its own beginning",
        arguments: [
            "The <b>gallery:</b> it is large.", "See a free download. Open science: good.", "Retrospective: the year.",
            "<br><br><b>Gallery:</b> the best.",
        ])
    func inside(html: String) {
        let text = ["<b>", "</b>", "<br>"].reduce(html) { $0.replacing($1, with: "") }
        #expect(HTMLText("<b>Explanation:</b> \(html)").explanation == text)
    }

    @Test("Text from HTML of an explanation and of a credit is cut at its marks, whatever letters join them")
    func joined() {
        #expect(HTMLText("Explanation:\u{301} x").explanation == "\u{301} x")
        #expect(HTMLText("Image Credit:\u{301}Ann").credit == "\u{301}Ann")
        #expect(HTMLText("The sky.<br>Tomorrow's picture:\u{301} x").explanation == "The sky.")
    }

    @Test("Text from HTML of an explanation keeps paragraphs and bold words that are no notices")
    func paragraphs() {
        let text = HTMLText("One.<br><br>Two <b>bold</b> words.<p>Three.</p>")
        #expect(text.explanation == "One. Two bold words. Three.")
        #expect(HTMLText("<br><b>Bold</b> from the start.").explanation == "Bold from the start.")
        #expect(HTMLText("Tomorrow's picture: unknown").explanation == "")
    }

    @Test(
        "Text from HTML of a credit tells who, and whether it says copyright",
        arguments: [
            ("<b> Image Credit: </b> <a href=x>NASA</a> , <a href=y>ESA</a>", "NASA, ESA", false),
            ("<b> Image Credit &amp; <a href=x>Copyright</a>: </b> Ann", "Ann", true),
            ("Illustration Credit & Copyright: Ann", "Ann", true), ("Copyright: Ann", "Ann", true),
            ("<b> Image Credit &amp; <a href=x>Licence</a>: </b> Ann", "Ann", false),
            ("Video Credit: Ann; <b>Music & Copyright:</b> Bob", "Ann; Music & Copyright: Bob", true),
            ("Credit: Ann", "Ann", false), ("Ann <em>Processing</em>: Bob", "Ann Processing: Bob", false),
            ("Credit http://example.org/", "Credit http://example.org/", false), ("<b>Image Credit:</b>", "", false),
            ("<b>Image Credit:</b> Ann, COPYRIGHT 2020", "Ann, COPYRIGHT 2020", true), ("© Ann", "© Ann", true),
            ("<b>Image Credit:</b> Ann &copy;\u{fe0f} Bob", "Ann ©\u{fe0f} Bob", true),
            ("Ann (c) Bob", "Ann (c) Bob", false),
        ])
    func credit(html: String, who: String, isCopyrighted: Bool) {
        let prose = HTMLText(html)
        #expect(prose.credit == who)
        #expect(prose.isCopyrighted == isCopyrighted)
    }

    @Test("Text from HTML of a credit keeps a long beginning, though it holds the word")
    func longLabel() {
        let text = "The team that gave this its credit, and that is a rather long text by now: Ann"
        #expect(HTMLText(text).credit == text)
    }
}
