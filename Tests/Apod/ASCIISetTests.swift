import Apod
import Testing

struct ASCIISetTests {
    @Test(
        "A set of ASCII characters contains its own, and no other byte",
        arguments: ["", "\0", "?", "@", "\u{7f}", "/?#\\", " ~09AZaz"] as [StaticString]
    )
    func hasItsCharactersAndNoOthers(characters: StaticString) {
        let set = ASCIISet(characters)
        let bytes = Array("\(characters)".utf8)
        for byte in UInt8.min...UInt8.max { #expect(set.contains(byte) == bytes.contains(byte), "\(byte)") }
    }
}
