import Apod
import Testing

@testable import Syncing

struct PlayerPageTests {
    @Test("The page that opens a video leads there, and has no more HTML than its own")
    func address() {
        let page = PlayerPage(
            title: "Saturn's <Moon> & More", address: WebAddress("https://example.org/embed/1?a=b&c='d'")!)
        let text = page.document.text
        #expect(text.contains(#"<a href="https://example.org/embed/1?a=b&amp;c=&#39;d&#39;">"#))
        #expect(text.contains("<title>Saturn&#39;s &lt;Moon&gt; &amp; More</title>"))
    }
}
