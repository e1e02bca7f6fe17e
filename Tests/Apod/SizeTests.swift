import Apod
import Testing

@Suite("A size")
struct SizeTests {
    @Test(
        "is read with its unit",
        arguments: [
            ("0", 0), ("1", 1), ("7k", 7000), ("512M", 512_000_000), ("2G", 2_000_000_000), ("9T", 9_000_000_000_000),
        ])
    func read(text: String, bytes: Int) {
        #expect(Size.bytes(text) == bytes)
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "M", "-1", "1.5G", "1 G", "1P", "0x10", "9223372036854775808", "9223372036854775807K", "99999999T",
        ])
    func refused(text: String) {
        #expect(Size.bytes(text) == nil)
    }

    @Test(
        "is shown in short as it is read, and in words to a tenth",
        arguments: [
            (0, "0", "0 bytes"), (999, "999", "999 bytes"), (1000, "1K", "1.0 KB"), (1500, "1500", "1.5 KB"),
            (99_949, "99949", "99.9 KB"), (99_951, "99951", "100 KB"), (512_000_000, "512M", "512 MB"),
            (2_000_000_000_000, "2T", "2000 GB"),
        ])
    func shown(bytes: Int, short: String, text: String) {
        #expect(Size.short(bytes) == short && Size.bytes(short) == bytes)
        #expect(Size.text(bytes) == text)
    }
}
