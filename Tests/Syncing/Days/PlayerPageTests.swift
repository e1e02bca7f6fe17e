import Apod
import Testing

@testable import Syncing

struct PlayerPageTests {
    private func page(_ title: String) -> [Unicode.Scalar] {
        let page = PlayerPage(title: title, address: WebAddress("https://example.org/embed/1?a=b&c='d'")!)
        return String(decoding: page.document, as: UTF8.self).unicodeScalars.map(\.self)
    }

    @Test(
        "The page that opens a video has no more HTML than its own, whatever letters the title is made of",
        arguments: ["", "\u{d4e}", "\u{110bd}"], ["", "\u{301}", "\u{fe0f}", "\u{200d}"])
    func hostile(before: String, behind: String) {
        let usual = page("A Title")
        for mark in ["<", ">", "\"", "'"] as [Unicode.Scalar] {
            let title = "\(before)\(mark)\(behind)script\(before)\(mark)\(behind)"
            let count = page(title).count { $0 == mark }
            #expect(count == usual.count { $0 == mark }, "\(title)")
        }
    }

    @Test("The page that opens a video leads to the video")
    func address() {
        let text = String(String.UnicodeScalarView(page("Saturn's <Moon> & More")))
        #expect(text.contains(#"<a href="https://example.org/embed/1?a=b&amp;c=&#39;d&#39;">"#))
        #expect(text.contains("<title>Saturn&#39;s &lt;Moon&gt; &amp; More</title>"))
    }
}
