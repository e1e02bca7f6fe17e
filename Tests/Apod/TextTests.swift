import Apod
import Testing

struct TextTests {
    @Test(
        "Text from outside is cleaned",
        arguments: [
            (" a \t\n\u{a0}\u{2003}b ", "a b"), ("a\u{0}\u{1b}\u{7f}\u{9f}b", "ab"),
            ("\u{202e}a\u{2066}\u{200b}\u{feff}\u{ad}b", "ab"),
            ("a\u{2028}b\u{85}c", "a b c"), ("\u{e000}\u{f8ff}x", "x"), ("", ""), (" \u{200b} ", ""),
            ("é e\u{301} 星 🌌", "é e\u{301} 星 🌌"),
        ])
    func clean(text: String, expected: String) {
        #expect(Text.clean(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }
}
