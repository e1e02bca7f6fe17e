import Apod
import Testing

struct MediaTypeTests {
    private static func type(_ start: String) -> MediaType? {
        MediaType(firstBytes: start.unicodeScalars.map { UInt8($0.value) })
    }

    @Test(
        "A media type is known by the first bytes, or there is none",
        arguments: [
            (.gif, ["GIF87a"]), (.avi, ["RIFF1234AVI LIST"]), (.tiff, ["II*\0", "MM\0*"]),
            (.bmp, ["BM1234\0\0\0\0"]), (.avif, ["\0\0\0 ftypavif"]),
            (.quickTime, ["\0\0\0 ftypqt  ", "\0\0\0 moov"]), (.webm, ["\u{1a}E\u{df}\u{a3}"]),
            (.mpeg, ["\0\0\u{1}\u{ba}"]), (.windowsMedia, ["0&\u{b2}u\u{8e}f\u{cf}\u{11}"]),
            (
                nil,
                [
                    "", "<!doctype html>", "%PDF-1.4", "GIF88a", "\u{ff}\u{d8}", "\u{89}PNG", "RIFF1234WAVE",
                    "BMW is a car", "\0\0\0\0\0\0\0\0",
                ]
            ),
        ] as [(MediaType?, [String])])
    func signatures(type: MediaType?, starts: [String]) {
        for start in starts {
            #expect(Self.type(start) == type)
            #expect(start.isEmpty || Self.type(start + String(repeating: "x", count: 100)) == type)
        }
    }

    @Test("A suffix promises a kind, or nothing")
    func suffixes() {
        for type in MediaType.allCases { #expect(MediaType.kind(ofExtension: type.suffix) == type.kind) }
        for other in ["", "asp", "jpg2", "JPG", "svg"] { #expect(MediaType.kind(ofExtension: other) == nil) }
    }

    @Test("A digest is 32 bytes or 64 hexadecimal digits")
    func digest() throws {
        let digest = try #require(Digest((0..<32).map { $0 * 8 }))
        #expect(digest.description.hasPrefix("0008101820") && digest.description.utf8.count == 64)
        for text in [digest.description, digest.description.uppercased()] {
            #expect(Digest(hexadecimal: text) == digest)
        }
        for (unit, count) in [("", 0), ("0", 2), ("g", 64), ("é", 32), ("0", 65)] {
            let text = String(repeating: unit, count: count)
            #expect(Digest(hexadecimal: text) == nil && Digest(text.bytes) == nil)
        }
    }

    @Test(
        "A moment is written and read back, or is none",
        arguments: [
            (803_260_800, "1995-06-16T00:00:00Z"), (951_827_696, "2000-02-29T12:34:56Z"),
        ]
            + [
                "2026-11-20 05:05:00Z", "2026-11-20T24:00:00Z", "2026-11-20T05:60:00Z",
                "2026-11-20T+5:05:00Z", "2026-11-31T05:05:00Z",
            ].map { (nil, $0) } as [(Int?, String)])
    func moment(seconds: Int?, text: String) {
        #expect(Time.seconds(text) == seconds && seconds.map(Time.text) ?? text == text)
        if let seconds {
            let (date, end) = Time.date(seconds)
            #expect(date == Day(utc: seconds) && end - seconds <= 86_400 && Time.date(end).day == date?.advanced(by: 1))
        }
        for wrong in [Int.min, -1, 0, 803_260_799, Int.max] { #expect(Time.seconds(Time.text(wrong)) != nil) }
    }

    @Test(
        "New York's summer begins on the second Sunday in March and ends on the first in November",
        arguments: [
            // March 2037 begins with a Sunday, and so does November 2026; March 2031 begins with a Saturday.
            ("2026-03-08", 5), ("2026-03-09", 4), ("2026-11-01", 4), ("2026-11-02", 5), ("2037-03-08", 5),
            ("2031-03-10", 4),
        ])
    func newYork(date: String, hour: Int) throws {
        let day = try #require(Day(date))
        let start = NewYork.moment(of: day, second: 0)
        #expect(start == day.number * 86_400 + hour * 3600)
        #expect(NewYork.day(at: start) == day && NewYork.day(at: start - 1) == day.advanced(by: -1))
    }
}
