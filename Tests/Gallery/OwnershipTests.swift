import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Gallery

struct OwnershipTests {
    private func occupied(_ fixture: GalleryFixture) throws -> [String] {
        try Gallery.occupied(in: try fixture.archive.tree.root)
    }

    @Test(
        "What is somebody's own under the gallery's names stays, is named, and is in the way until it goes",
        arguments: ["index.html", "feed.xml", "gallery"], ["file", "folder", "link"])
    func foreign(name: String, kind: String) async throws {
        let fixture = try await GalleryFixture(days: 1)
        switch kind {
        case "file": try save("<!doctype html>mine", to: fixture[name])
        case "folder":
            mkdir(fixture[name], 0o755)
            try save([1], to: fixture["\(name)/holiday.jpg"])
        default:
            mkdir(fixture["elsewhere"], 0o755)
            symlink("elsewhere", fixture[name])
        }
        func mine() -> [String] { listing(fixture.root).filter { $0.hasPrefix(name) || $0.contains("elsewhere") } }
        let before = mine()
        try fixture.write()
        try fixture.gallery.writeFavorites()
        #expect(mine() == before && (name == "feed.xml" || fixture.made.contains("feed.xml")))
        #expect(try occupied(fixture) == [name])
        #expect(fixture.made.contains("gallery/data/2026.js") == (name != "gallery"))
        try fixture.gallery.remove()
        #expect(mine() == before && fixture.made.allSatisfy { $0.hasPrefix(name) })
        if kind == "folder" { unlink(fixture["\(name)/holiday.jpg"]) }
        if kind == "folder" { rmdir(fixture[name]) } else { unlink(fixture[name]) }
        try fixture.write()
        #expect(try occupied(fixture).isEmpty && fixture.made.contains("index.html"))
    }

    @Test("What is somebody's own is no folder of copies, and no gallery without what is hidden")
    func copies() async throws {
        let fixture = try await GalleryFixture(days: 1)
        for folder in ["gallery", "gallery/2026"] { mkdir(fixture[folder], 0o755) }
        for file in [".directory", "2026/2026-11-20-480.webp"] { try save([1], to: fixture["gallery/\(file)"]) }
        try fixture.note(copiesOf: november(20))
        try fixture.write()
        #expect(try occupied(fixture).isEmpty && fixture.told("2026-11-20")?.contains("copies") == true)
        rmdir(fixture["gallery/.made-by-apod-mirror"])
        try save([1], to: fixture["gallery/notes.txt"])
        #expect(try occupied(fixture).isEmpty)
        try save([1], to: fixture["gallery/gallery.js"])
        #expect(try occupied(fixture) == ["gallery"])
    }

    @Test("What is somebody's own beside the gallery or under a mark's name stays")
    func removal() async throws {
        let fixture = try await GalleryFixture(days: 2)
        mkdir(fixture["gallery"], 0o755)
        try save("*.png\n", to: fixture["gallery/.ignore"])
        symlink("elsewhere", fixture["gallery/.noimage"])
        let marks = ["gallery/.ignore", "gallery/.noimage -> elsewhere"]
        let pictures = fixture.fixture.tree.filter { $0.hasPrefix("2026/") }
        try fixture.write()
        for mark in [".nomedia", ".nomemories"] {
            let facts = try #require(Facts(fixture["gallery/\(mark)"]))
            #expect(facts.kind == S_IFREG && facts.bytes == 0 && facts.permissions == 0o644)
        }
        let mine = ["gallery/data/mine.js", "gallery/notes.txt"]
        for name in mine { try save([1], to: fixture[name]) }
        for count in [2, 1, 0, 0] {
            try fixture.gallery.remove()
            #expect(fixture.made.filter { !$0.hasSuffix("/") } == marks + mine.suffix(count))
            unlink(fixture[mine[count == 2 ? 0 : 1]])
            rmdir(fixture["gallery/data"])
        }
        #expect(fixture.fixture.tree.filter { $0.hasPrefix("2026/") } == pictures)
        // Smaller copies keep the marks.
        try fixture.write()
        unlink(fixture["gallery/.nomedia"])
        mkdir(fixture["gallery/2026"], 0o755)
        try fixture.write()
        try fixture.gallery.remove()
        #expect(try Facts(fixture["gallery/.nomedia"]) != nil && fixture.text("gallery/.ignore") == "*.png\n")
    }
}
