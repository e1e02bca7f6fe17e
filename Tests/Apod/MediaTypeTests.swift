import Apod
import Testing

struct MediaTypeTests {
    private static func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

    @Test(
        "A media type is known by the first bytes",
        arguments: [
            ("\u{ff}\u{d8}\u{ff}\u{e0}", MediaType.jpeg), ("\u{89}PNG\r\n\u{1a}\n", .png), ("GIF89a", .gif),
            ("GIF87a", .gif),
            ("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ", .webp), ("RIFF\u{1}\u{2}\u{3}\u{4}AVI LIST", .avi),
            ("II*\0", .tiff), ("MM\0*", .tiff), ("BM\u{1}\u{2}\u{3}\u{4}\0\0\0\0", .bmp),
            ("\0\0\0 ftypavif", .avif), ("\0\0\0 ftypisom", .mp4),
            ("\0\0\0 ftypqt  ", .quickTime),
            ("\0\0\0 moov", .quickTime), ("\u{1a}E\u{df}\u{a3}", .webm), ("\0\0\u{1}\u{ba}", .mpeg),
            ("0&\u{b2}u\u{8e}f\u{cf}\u{11}", .windowsMedia),
        ])
    func signatures(start: String, type: MediaType) {
        #expect(MediaType(firstBytes: Self.bytes(start)) == type)
        #expect(MediaType(firstBytes: Self.bytes(start + String(repeating: "x", count: 100))) == type)
    }

    @Test(
        "A media type is none of what is not media",
        arguments: [
            "", "<!doctype html>", "%PDF-1.4", "GIF88a", "\u{ff}\u{d8}", "\u{89}PNG", "RIFF1234WAVE", "BMW is a car",
            "\0\0\0\0\0\0\0\0", "<svg",
        ])
    func noMedia(start: String) {
        #expect(MediaType(firstBytes: Self.bytes(start)) == nil)
    }

    @Test("A media type has a suffix that promises its kind", arguments: MediaType.allCases)
    func suffixes(type: MediaType) {
        #expect(MediaType.kind(ofExtension: type.suffix) == type.kind)
        #expect(MediaType(rawValue: type.rawValue) == type)
    }

    @Test("A media type is not promised by other endings", arguments: ["", "asp", "jpg2", "JPG", "svg", "swf"])
    func otherEndings(suffix: String) {
        #expect(MediaType.kind(ofExtension: suffix) == nil)
    }
}

struct DigestTests {
    @Test("A digest is 32 bytes or 64 hexadecimal digits")
    func roundTrip() throws {
        let digest = try #require(Digest((0..<32).map { $0 * 8 }))
        #expect(digest.description.hasPrefix("0008101820") && digest.description.utf8.count == 64)
        #expect(Digest(hexadecimal: digest.description) == digest)
        #expect(Digest(hexadecimal: digest.description.uppercased()) == digest)
    }

    @Test(
        "Any other text is no digest",
        arguments: [
            "", "00", String(repeating: "g", count: 64), String(repeating: "é", count: 32),
            String(repeating: "0", count: 65),
        ])
    func bad(text: String) {
        #expect(Digest(hexadecimal: text) == nil)
        #expect(Digest(Array(text.utf8)) == nil)
    }
}

struct TimeTests {
    @Test(
        "A moment is read and written",
        arguments: [
            (1_795_151_100, "2026-11-20T05:05:00Z"), (803_260_800, "1995-06-16T00:00:00Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
        ])
    func roundTrip(seconds: Int, text: String) {
        #expect(Time.text(seconds) == text)
        #expect(Time.seconds(text) == seconds)
    }

    @Test(
        "Any other text is no moment",
        arguments: [
            "", "2026-11-20", "2026-11-20T05:05:00", "2026-11-20 05:05:00Z", "2026-11-20T25:05:00Z",
            "2026-11-20T24:00:00Z", "2026-11-20T05:60:00Z", "2026-11-20T05:05:60Z", "2026-11-20T+5:05:00Z",
            "2026-11-20T5:005:00Z", "2026-11-31T05:05:00Z",
        ])
    func bad(text: String) {
        #expect(Time.seconds(text) == nil)
    }

    @Test(
        "A moment is an hour ahead in New York from the second Sunday in March to the first in November, though a month begins with it",
        arguments: [
            ("2026-03-08", 5), ("2026-03-09", 4), ("2026-11-01", 4), ("2026-11-02", 5), ("2025-03-09", 5),
            ("2025-03-10", 4), ("2025-11-02", 4), ("2025-11-03", 5),
        ])
    func newYork(date: String, hour: Int) throws {
        let day = try #require(Day(date))
        #expect(NewYork.moment(of: day, second: 0) == day.number * 86_400 + hour * 3600)
    }

    @Test(
        "A moment is written as one even by a clock that is wrong", arguments: [Int.min, -1, 0, 803_260_799, Int.max])
    func wrongClock(seconds: Int) {
        let text = Time.text(seconds)
        #expect(Time.seconds(text) != nil)
    }
}
