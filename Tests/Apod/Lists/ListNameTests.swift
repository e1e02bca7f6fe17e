import Apod
import Testing

struct ListNameTests {
    @Test(
        "The name of a list is a word that folders and settings can have",
        arguments: ["a", "7", "esa-hubble", String(repeating: "x", count: 31)])
    func names(text: String) {
        #expect(ListName(text)?.description == text)
    }

    @Test(
        "Any other text is no name of a list",
        arguments: [
            "", "-a", "A", "ä", "a b", "a.b", "a/b", "..", "a_b", "a\u{301}", "a\n", String(repeating: "x", count: 32),
        ])
    func refused(text: String) {
        #expect(ListName(text) == nil)
    }
}
