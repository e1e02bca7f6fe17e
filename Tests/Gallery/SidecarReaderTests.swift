import Apod
import Gallery
import Glibc
import Store
import TestSupport
import Testing

@Suite(.enabled(if: access("/usr/bin/exiftool", X_OK) == 0, "exiftool is missing"))
struct SidecarReaderTests {
    private static let path = "2026/11/2026-11-20 Night.jpg.xmp"
    /// Each after the name of the day's files, so that these stay the same.
    private static let texts = [
        "A plain title", "</rdf:li></dc:title><script>&amp; ]]> \"'` <!-- -->",
        "\u{d4e}<b>\u{d4e}&\u{301} \u{110bd}\" \u{fffe}\u{ffff}\u{1}\u{0}\u{1b}\u{7}",
        "é 星 \u{1f52d}\u{200d}\u{1f30c} \u{202e}back\u{2066}", "&#x41; %41 \\n ${x} {x}",
        String(repeating: "Long & wide. ", count: 2_000) + "End",
    ]

    private func fixture(_ text: String) async throws -> GalleryFixture {
        let fixture = try GalleryFixture()
        // The first title makes the name.
        try await fixture.fixture.add(november(20), "Night")
        try await fixture.add(november(20), text, "The \(text)") { picture, _ in
            (picture.credit, picture.copyright) = ("Of \(text)", "By \(text)")
            picture.permalink = WebAddress(Self.link)
        }
        try fixture.archive.favorites.favor([november(20)], at: 1)
        try fixture.sidecars().update(nil)
        return fixture
    }

    /// The text without what XML forbids.
    private func readable(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { $0.value >= 0x20 && ![0xfffe, 0xffff].contains($0.value) }
        return String(String.UnicodeScalarView(scalars))
    }

    private static let link = "https://science.nasa.gov/apod/?a=1&b=2"

    @Test("Photo programs read every field, whatever the texts are: exiftool", arguments: texts)
    func exiftool(text: String) async throws {
        let fixture = try await fixture(text)
        let outcome = try await Program.run(
            "/usr/bin/exiftool", ["-j", "-G1", "-struct", "-XMP:all", "-Warning", fixture[Self.path]])
        let read = try #require(try JSONText(outcome.outputBytes).elements?.first)
        let words = readable(text)
        let texts = [
            "XMP-dc:Title": words, "XMP-dc:Description": "The \(words)", "XMP-dc:Rights": "By \(words)",
            "XMP-photoshop:Credit": "Of \(words)", "XMP-photoshop:Source": Self.link,
            "XMP-xmpRights:WebStatement": Self.link, "XMP-photoshop:DateCreated": "2026:11:20 12:00:00",
            "XMP-exif:DateTimeOriginal": "2026:11:20 12:00:00", "XMP-x:XMPToolkit": "Made by apod-mirror",
        ]
        for (name, value) in texts { #expect(read[name]?.string == value, "\(name)") }
        let lists = [
            "XMP-dc:Creator": ["Of \(words)"], "XMP-dc:Subject": ["APOD", "APOD/2026"],
            "XMP-digiKam:TagsList": ["APOD", "APOD/2026"],
        ]
        for (name, values) in lists { #expect(read[name]?.elements?.map(\.string) == values, "\(name)") }
        #expect(read["XMP-xmp:Rating"]?.integer == 5)
        #expect(read.members?.count == 1 + texts.count + lists.count + 1, "\(outcome.output)")
    }
}
