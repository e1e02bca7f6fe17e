import Apod
import Testing

struct NameTests {
    @Test(
        "A set of ASCII characters contains its own, and no other byte",
        arguments: ["", "\0", "@", "\u{7f}", " ~09AZaz"] as [StaticString])
    func characters(characters: StaticString) {
        let set = ASCIISet(characters)
        let bytes = "\(characters)".bytes
        for byte in UInt8.min...UInt8.max { #expect(set.contains(byte) == bytes.contains(byte), "\(byte)") }
    }

    @Test("The name of an album from the web is one folder's, which is neither hidden, invisible nor unsafe")
    func albums() {
        let longest = String(repeating: "a", count: 200)
        for good in ["Sofa & TV", "a.b", "👩‍🚀", "ستاره‌ها", longest] {
            #expect(AlbumName(good)?.description == good)
        }
        for bad in [
            "", "..", ".hidden", "a/b", "a\nb", "\u{202e}a", "a\u{200b}", "\u{200d}a", "a\u{200c}", " a", "a ", "a.",
            "a:b", "\"", "\u{a0}a", longest + "a",
        ] { #expect(AlbumName(bad) == nil, "\(bad)") }
    }

    @Test("The name of a list is a word that folders and settings can have")
    func lists() {
        let longest = String(repeating: "x", count: 31)
        for good in ["a", "7", "esa-hubble", longest] { #expect(ListName(good)?.description == good) }
        for bad in ["", "-a", "A", "ä", "a b", "a.b", "a/b", "a_b", "a\u{301}", "a\n", longest + "x"] {
            #expect(ListName(bad) == nil, "\(bad)")
        }
    }

    @Test(
        "Text from outside is cleaned",
        arguments: [
            ("a\u{1b}\u{7f}\u{9f}b", "ab"), ("a\u{2003}\u{2028}b\u{85}c", "a b c"), (" \u{200b} ", ""),
            ("a\u{2066}\u{ad}e\u{301}\u{e000}", "ae\u{301}"),
        ])
    func clean(text: String, expected: String) {
        #expect(Text.clean(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }
}
