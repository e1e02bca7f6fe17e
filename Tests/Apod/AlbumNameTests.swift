import Apod
import Testing

struct AlbumNameTests {
    @Test(
        "The name of an album from the web is one folder's",
        arguments: ["Comets", "Sofa & TV", "2019", "Bärbels Kometen", "彗星", "🚀", "a.b", "👩‍🚀", "ستاره‌ها"])
    func good(text: String) {
        #expect(AlbumName(text)?.text == text)
    }

    @Test(
        "The name of an album from the web is no path, hidden, invisible or unsafe",
        arguments: [
            "", ".", "..", ".hidden", "a/b", "/a", "a/", "../a", "a\\b", "a\nb", "a\u{0}b", "\u{1b}[2J", "\u{202e}a",
            "a\u{200b}", "\u{200d}a", "a\u{200c}", " a", "a ", "a.", "a:b", "a|b", "<a>", "\"", "?", "*", "\u{a0}a",
            String(repeating: "a", count: 201),
        ])
    func bad(text: String) {
        #expect(AlbumName(text) == nil)
    }
}
