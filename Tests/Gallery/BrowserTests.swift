import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Gallery

enum Chromium {
    static let isInstalled = ["/usr/bin/chromium", "/usr/bin/chromedriver", "/usr/lib/python3/dist-packages/selenium"]
        .allSatisfy { (path: String) in access(path, F_OK) == 0 }
}

@Suite("In Chromium", .enabled(if: Chromium.isInstalled, "chromium, chromium-driver or python3-selenium is missing"))
struct BrowserTests {
    private static let hostile = """
        </script><script>window.hacked = 1</script>\u{d4e}<b>\u{202e}\u{9b}\u{2028}<img src=x onerror="hacked=2">'"`&amp;
        """

    @Test("the gallery opens from disk and from a server, is walked through and searched, and does nothing hostile")
    func walk() async throws {
        let shelf = try await shelf()
        let script = "\(Places.packageRoot)/Tests/Clients/gallery.py"
        let outcome = try await Program.run("/usr/bin/python3", [script, "walk", shelf.root], limit: .seconds(240))
        let wrong = outcome.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(wrong.isEmpty && outcome.status == 0, "\(outcome.output)\(outcome.errors.suffix(2000))")
    }

    /// As `Tests/Clients/gallery.py` knows it.
    private func shelf() async throws -> GalleryShelf {
        let shelf = try GalleryShelf()
        try await shelf.shelf.add(day("2025-12-31"), "Last of 2025", "Quasar words.")
        try await shelf.shelf.add(day("2026-11-16"), "Clouds", "Up.", [(.video, .mp4), (.poster, .jpeg)])
        try await shelf.shelf.add(day("2026-11-17"), "A Flight", "Up.", [(.page, .html), (.poster, .png)])
        try await shelf.shelf.add(day("2026-11-18"), "Words", "Only words.", [], state: .placeholder)
        let archive = try shelf.archive
        try await archive.record(
            DayStatus(day: day("2026-11-19"), state: .failed, failure: Failure(.other, Self.hostile)))
        try await shelf.shelf.add(day("2026-11-20"), Self.hostile, Self.hostile)
        try save(Array(Self.hostile.utf8), to: shelf.path("hostile.txt"))
        for year in ["2025", "2026"] {
            for folder in ["gallery", "gallery/\(year)"] { mkdir(shelf.path(folder), 0o755) }
        }
        for date in ["2025-12-31", "2026-11-16", "2026-11-17", "2026-11-20"] {
            for (size, width) in [(GallerySize.small, 48), (.large, 128)] {
                let picture = Pictures.png(width: width, height: width * 3 / 4, seed: UInt64(day(date).number))
                try save(picture.bytes, to: shelf.path(size.path(of: day(date))))
            }
            try shelf.note(copiesOf: day(date))
        }
        var links: [Link] = []
        let album = try #require(Album(Array("Best of </script><b>50%".utf8)))
        for (name, album, date) in [("a", Album.top, "2026-11-20"), ("b", album, "2025-12-31")] {
            links.append(Link(Place(Name(name)!, in: album), to: day(date)))
        }
        try archive.catalog.favor(links, at: 0)
        try shelf.write(wanted: day("2026-11-10")...day("2026-11-20"))
        return shelf
    }
}
