import Apod
import Archive
import Files
import Glibc
import TestSupport
import Testing

@testable import Gallery

struct OwnershipTests {
    private func occupied(_ fixture: GalleryFixture) throws -> [String] {
        try Gallery.occupied(in: try fixture.archive.tree.root)
    }

    @Test(
        "What is somebody's own stays under the names of the gallery's files, and is named",
        arguments: ["index.html", "feed.xml"])
    func files(name: String) async throws {
        let fixture = try await GalleryFixture(days: 1)
        try save("<!doctype html>mine", to: fixture[name])
        try fixture.write()
        #expect(try fixture.text(name) == "<!doctype html>mine")
        #expect(try occupied(fixture) == [name])
        #expect(fixture.made.contains("gallery/data/2026.js") && fixture.made.contains("feed.xml"))
        try fixture.gallery.remove()
        #expect(fixture.made == [name])
        unlink(fixture[name])
        try fixture.write()
        #expect(try occupied(fixture).isEmpty)
        #expect(try fixture.text(name).contains("Made by apod-mirror"))
    }

    @Test(
        "What is somebody's own stays where a folder or a link has such a name", arguments: ["index.html", "feed.xml"])
    func others(name: String) async throws {
        let fixture = try await GalleryFixture(days: 1)
        try fixture.write()
        let copy = fixture["copy"]
        rename(fixture[name], copy)
        symlink(copy, fixture[name])
        try fixture.write()
        #expect(target(of: fixture[name]) == copy)
        #expect(try occupied(fixture) == [name])
        unlink(fixture[name])
        mkdir(fixture[name], 0o755)
        try fixture.write()
        #expect(try occupied(fixture) == [name])
    }

    @Test(
        "What is somebody's own is a folder `gallery` with other things in it, a file, or a link",
        arguments: ["folder", "file", "link"])
    func folder(kind: String) async throws {
        let fixture = try await GalleryFixture(days: 1)
        switch kind {
        case "folder":
            mkdir(fixture["gallery"], 0o755)
            try save([1], to: fixture["gallery/holiday.jpg"])
        case "file": try save([1], to: fixture["gallery"])
        default:
            mkdir(fixture["elsewhere"], 0o755)
            symlink("elsewhere", fixture["gallery"])
        }
        let before = listing(fixture.root).filter { $0.contains("gallery") || $0.contains("elsewhere") }
        try fixture.write()
        try fixture.gallery.writeFavorites()
        #expect(listing(fixture.root).filter { $0.contains("gallery") || $0.contains("elsewhere") } == before)
        #expect(try occupied(fixture) == ["gallery"])
        #expect(fixture.made.contains("feed.xml"))
        #expect(!fixture.made.contains("index.html"))
        try fixture.gallery.remove()
        #expect(listing(fixture.root).filter { $0.contains("gallery") || $0.contains("elsewhere") } == before)
    }

    @Test(
        "What is somebody's own is no folder in which nothing but smaller copies are, or what a file manager hides there"
    )
    func copies() async throws {
        let fixture = try await GalleryFixture(days: 1)
        for folder in ["gallery", "gallery/2026"] { mkdir(fixture[folder], 0o755) }
        for file in [".directory", "2026/2026-11-20-480.webp"] { try save([1], to: fixture["gallery/\(file)"]) }
        try fixture.note(copiesOf: november(20))
        try fixture.write()
        #expect(try occupied(fixture).isEmpty)
        #expect(try fixture.line("2026-11-20")?["copies"] != nil)
    }

    @Test("What is somebody's own is no gallery that was copied without what is hidden")
    func copied() async throws {
        let fixture = try await GalleryFixture(days: 1)
        try fixture.write()
        rmdir(fixture["gallery/.made-by-apod-mirror"])
        try save([1], to: fixture["gallery/notes.txt"])
        #expect(try occupied(fixture).isEmpty)
        try save([1], to: fixture["gallery/gallery.js"])
        #expect(try occupied(fixture) == ["gallery"])
    }

    @Test(
        "What is somebody's own beside the gallery's own files stays when these are taken away, twice or not, and nothing else"
    )
    func removal() async throws {
        let fixture = try await GalleryFixture(days: 2)
        try fixture.write()
        let mine = ["gallery/data/mine.js", "gallery/notes.txt"]
        for name in mine { try save([1], to: fixture[name]) }
        let pictures = fixture.fixture.tree.filter { $0.hasPrefix("2026/") }
        try fixture.gallery.remove()
        #expect(fixture.made.filter { !$0.hasSuffix("/") } == mine)
        #expect(fixture.fixture.tree.filter { $0.hasPrefix("2026/") } == pictures)
        unlink(fixture[mine[0]])
        rmdir(fixture["gallery/data"])
        try fixture.gallery.remove()
        #expect(fixture.made.filter { !$0.hasSuffix("/") } == [mine[1]])
        #expect(try occupied(fixture) == ["gallery"])
        unlink(fixture[mine[1]])
        try fixture.write()
        for _ in 1...2 {
            try fixture.gallery.remove()
            #expect(fixture.made.isEmpty)
        }
        try fixture.write()
        #expect(fixture.made.contains("index.html"))
    }

    @Test(
        "What is somebody's own stays where it has a mark's name, and the empty ones of the mirror come and go with the gallery"
    )
    func marks() async throws {
        let fixture = try await GalleryFixture(days: 1)
        mkdir(fixture["gallery"], 0o755)
        try save("*.png\n", to: fixture["gallery/.ignore"])
        symlink("elsewhere", fixture["gallery/.noimage"])
        try fixture.write()
        for mark in [".nomedia", ".nomemories"] {
            let facts = try #require(Facts(fixture["gallery/\(mark)"]))
            #expect(facts.kind == S_IFREG && facts.bytes == 0 && facts.permissions == 0o644)
        }
        unlink(fixture["gallery/.nomedia"])
        try fixture.write()
        #expect(Facts(fixture["gallery/.nomedia"]) != nil)
        mkdir(fixture["gallery/2026"], 0o755)
        try fixture.gallery.remove()
        #expect(Facts(fixture["gallery/.nomedia"]) != nil)
        rmdir(fixture["gallery/2026"])
        try fixture.write()
        try fixture.gallery.remove()
        #expect(fixture.made == ["gallery/", "gallery/.ignore", "gallery/.noimage -> elsewhere"])
        #expect(try fixture.text("gallery/.ignore") == "*.png\n")
    }
}
