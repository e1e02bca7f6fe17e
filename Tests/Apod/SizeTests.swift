import Apod
import Testing

struct SizeTests {
    @Test(
        "A size is read with its unit",
        arguments: [
            ("0", 0), ("7k", 7000), ("512M", 512_000_000), ("9T", 9_000_000_000_000), ("999 bytes", 999), ("1 byte", 1),
            ("1B", 1), ("50 GB", 50_000_000_000), ("50gb", 50_000_000_000), (" 50   GB ", 50_000_000_000),
            ("50\u{a0}GB", 50_000_000_000), ("1KiB", 1024), ("50 gib", 53_687_091_200), ("50Gi", 53_687_091_200),
            ("2 MiB", 2_097_152), ("1TiB", 1_099_511_627_776), ("7.1 GB", 7_100_000_000), ("0.5KiB", 512),
            ("1.05M", 1_050_000), ("1.0001K", 1000), ("0.0001K", 0), ("007M", 7_000_000),
            ("9223372036854775807", .max), ("9223372.036854775807T", .max), ("99.9 KB", 99_900), ("1.0 KB", 1000),
        ])
    func read(text: String, bytes: Int) {
        #expect(Size.bytes(text) == bytes)
    }

    @Test(
        "Any other text is no size",
        arguments: [
            "", "M", "-1", "+1", "1P", "0x10", "1e3", "9223372036854775808", "9223372036854775807K",
            "9223372.036854775808T", "8388608TiB", "1.5", "1.5 bytes", "1.", ".5G", "1.G", "1..5G", "1.5.5G", "1,5G",
            "1.-5G", "1.0000000000000000001G", "5 0G", "5G B", "5GBB", "5iB", "G5", "5 eggs", "٥G", "5Ｇ", "5G\u{301}",
        ])
    func refused(text: String) {
        #expect(Size.bytes(text) == nil)
    }

    @Test(
        "A size is shown in short as it is read, and in words to a tenth",
        arguments: [
            (0, "0", "0 bytes"), (1, "1", "1 byte"), (999, "999", "999 bytes"), (1000, "1K", "1.0 KB"),
            (1500, "1500", "1.5 KB"), (99_949, "99949", "99.9 KB"), (99_951, "99951", "100 KB"),
            (999_449, "999449", "999 KB"),
            (999_500, "999500", "1.0 MB"), (999_999_999, "999999999", "1.0 GB"), (2_000_000_000_000, "2T", "2000 GB"),
            (7_100_000_000, "7100M", "7.1 GB"), (53_687_091_200, "50GiB", "53.7 GB"), (1024, "1KiB", "1.0 KB"),
            (1_024_000, "1024K", "1.0 MB"), (.max, "9223372036854775807", "9223372037 GB"),
        ])
    func shown(bytes: Int, short: String, text: String) {
        #expect(Size.short(bytes) == short && Size.bytes(short) == bytes)
        #expect(Size.text(bytes) == text)
    }
}
