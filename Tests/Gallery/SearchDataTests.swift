import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Gallery

struct SearchDataTests {
    private let today = november(20)
    private let name = "gallery/data/2026-search.js"

    @Test("The search data of a year has each day's text and credit on a line, and all its months are one stream")
    func lines() async throws {
        let fixture = try GalleryFixture()
        try await fixture.fixture.add(day("2025-12-31"), "Older", "Last year.")
        try await fixture.fixture.add(day("2026-09-30"), "Clouds", "Up.", [(.video, .mp4)])
        try await fixture.add(november(19)) {
            $0.explanation = "  Two\nlines,\t\u{2028} and Ørsø\u{a0}\r\n"
            $0.credit = "Ada\nQuill"
        }
        try await fixture.fixture.add(today, "Words", "", [], state: .placeholder)
        let gallery = Gallery(try fixture.archive) { text, _ in
            LinkedText([.words("To "), .link(text, WebAddress("https://example.org/a")!), .words(".")])
        }
        try gallery.write(.all, wanted: nil)
        #expect(try fixture.months(2026).map(\.month) == ["2026-09", "2026-11"])
        #expect(
            try fixture.searched(2026) == [
                "2026-09-30\tTo Up..", "2026-11-19\tTo Two lines, and Ørsø . To Ada Quill.", "2026-11-20\tTo .",
            ])
        #expect(try fixture.searched(2025) == ["2025-12-31\tTo Last year.."])
        let head = try fixture.text(name).split(separator: "\n").prefix(3)
        #expect(head[0] == "// Made by apod-mirror." && head[2] == "apod.search(2026, [")
        #expect(head[1].wholeMatch(of: #/// 1\.1 [0-9a-f]{64}/#) != nil)
        #expect(try fixture.text(name).hasSuffix("\"],\n]);\n"))
    }

    @Test("The search data of a year can be read at the end of any month, and from the start of any")
    func pieces() async throws {
        let fixture = try GalleryFixture()
        for month in 1...12 {
            try await fixture.fixture.add(
                Day(year: 2026, month: month, day: 5)!, "Alike", "The same words in each month.")
        }
        try fixture.write()
        let months = try fixture.months(2026)
        #expect(try fixture.searched(2026).count == 12)
        for month in months {
            let text = try #require(inflated(month.data + [3, 0]))
            #expect(text.starts(with: "\(month.month)-05\tThe same".utf8))
            #expect(month.data.suffix(4) == [0, 0, 255, 255])
        }
    }

    @Test("The search data of a year is compressed again for months with new days alone, and no other day is read")
    func newDay() async throws {
        let fixture = try await GalleryFixture(days: 2)
        try await fixture.fixture.add(day("2026-10-05"), "Older", "October.")
        try fixture.write()
        // A month that nobody compresses again.
        let mark = try #require(try fixture.text(name).firstMatch(of: #/\["2026-10","[0-9a-f]{16}","/#)).0
        let marked = try fixture.text(name).replacing(mark, with: "\(mark)AAAA")
        try save(marked, to: fixture[name])
        for file in ["11/2026-11-19 Night 1.json", "10/2026-10-05 Older.json"] { unlink(fixture["2026/\(file)"]) }
        try await fixture.fixture.add(november(21), "Newer", "New.")
        try await fixture.fixture.add(today, "Night 0", "Corrected.")
        try fixture.write(.days([november(21)]))
        #expect(try fixture.text(name).contains("\(mark)AAAA"))
        let newest = try #require(try fixture.months(2026).last)
        let text = String(decoding: try #require(inflated(newest.data + [3, 0])), as: UTF8.self)
        #expect(text == "2026-11-19\tText 1.\n2026-11-20\tCorrected.\n2026-11-21\tNew.\n")
        #expect(try await fixture.written { try fixture.write() }.isEmpty)
    }

    @Test(
        "The search data of a year is made again where somebody deleted it, from the texts, and where another version made it"
    )
    func lost() async throws {
        let fixture = try await GalleryFixture(days: 1)
        try fixture.write()
        let made = try fixture.text(name)
        for other in [nil, made.replacing("// 1.1 ", with: "// 1.0 ").replacing("\",\"", with: "\",\"AAAA")] {
            unlink(fixture[name])
            if let other { try save(other, to: fixture[name]) }
            unlink(fixture["2026/11/2026-11-20 Night 0.json"])
            try fixture.write()
            #expect(try fixture.text(name) == made)
        }
    }

    @Test("The search data of a year has the other days of a month with one that cannot be read, and that one later")
    func unreadable() async throws {
        let fixture = try await GalleryFixture(days: 2)
        let json = fixture["2026/11/2026-11-19 Night 1.json"]
        rename(json, json + ".away")
        try fixture.write()
        #expect(try fixture.searched(2026) == ["2026-11-20\tText 0."])
        rename(json + ".away", json)
        try fixture.write()
        #expect(try fixture.searched(2026) == ["2026-11-19\tText 1.", "2026-11-20\tText 0."])
        #expect(try await fixture.written { try fixture.write() }.isEmpty)
    }

    @Test("The search data of a year loses the lines of days that are gone")
    func gone() async throws {
        let fixture = try await GalleryFixture(days: 2)
        try fixture.write()
        var status = try #require(try fixture.archive.catalog.status(of: today))
        (status.state, status.stored) = (.absent, nil)
        try await fixture.archive.record(status)
        try fixture.write()
        #expect(try fixture.searched(2026) == ["2026-11-19\tText 1."])
    }
}
