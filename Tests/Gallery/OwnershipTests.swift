import Apod
import Archive
import Files
import Glibc
import TestSupport
import Testing

@testable import Gallery

@Suite("What is somebody's own")
struct OwnershipTests {
    private func occupied(_ shelf: GalleryShelf) throws -> [String] {
        try Gallery.occupied(in: try shelf.archive.tree.root)
    }

    @Test("stays under the names of the gallery's files, and is named", arguments: ["index.html", "feed.xml"])
    func files(name: String) async throws {
        let shelf = try await GalleryShelf(days: 1)
        try save("<!doctype html>mine", to: shelf[name])
        try shelf.write()
        #expect(try shelf.text(name) == "<!doctype html>mine")
        #expect(try occupied(shelf) == [name])
        #expect(shelf.made.contains("gallery/data/2026.js") && shelf.made.contains("feed.xml"))
        try shelf.gallery.remove()
        #expect(shelf.made == [name])
        unlink(shelf[name])
        try shelf.write()
        #expect(try occupied(shelf).isEmpty)
        #expect(try shelf.text(name).contains("Made by apod-mirror"))
    }

    @Test("stays where a folder or a link has such a name", arguments: ["index.html", "feed.xml"])
    func others(name: String) async throws {
        let shelf = try await GalleryShelf(days: 1)
        try shelf.write()
        let copy = shelf["copy"]
        rename(shelf[name], copy)
        symlink(copy, shelf[name])
        try shelf.write()
        #expect(target(of: shelf[name]) == copy)
        #expect(try occupied(shelf) == [name])
        unlink(shelf[name])
        mkdir(shelf[name], 0o755)
        try shelf.write()
        #expect(try occupied(shelf) == [name])
    }

    @Test("is a folder `gallery` with other things in it, a file, or a link", arguments: ["folder", "file", "link"])
    func folder(kind: String) async throws {
        let shelf = try await GalleryShelf(days: 1)
        switch kind {
        case "folder":
            mkdir(shelf["gallery"], 0o755)
            try save([1], to: shelf["gallery/holiday.jpg"])
        case "file": try save([1], to: shelf["gallery"])
        default:
            mkdir(shelf["elsewhere"], 0o755)
            symlink("elsewhere", shelf["gallery"])
        }
        let before = listing(shelf.root).filter { $0.contains("gallery") || $0.contains("elsewhere") }
        try shelf.write()
        try shelf.gallery.writeFavorites()
        #expect(listing(shelf.root).filter { $0.contains("gallery") || $0.contains("elsewhere") } == before)
        #expect(try occupied(shelf) == ["gallery"])
        #expect(shelf.made.contains("feed.xml"))
        #expect(!shelf.made.contains("index.html"))
        try shelf.gallery.remove()
        #expect(listing(shelf.root).filter { $0.contains("gallery") || $0.contains("elsewhere") } == before)
    }

    @Test("is no folder in which nothing but smaller copies are, or what a file manager hides there")
    func copies() async throws {
        let shelf = try await GalleryShelf(days: 1)
        for folder in ["gallery", "gallery/2026"] { mkdir(shelf[folder], 0o755) }
        for file in [".directory", "2026/2026-11-20-480.webp"] { try save([1], to: shelf["gallery/\(file)"]) }
        try shelf.note(copiesOf: november(20))
        try shelf.write()
        #expect(try occupied(shelf).isEmpty)
        #expect(try shelf.line("2026-11-20")?["copies"] != nil)
    }

    @Test("is no gallery that was copied without what is hidden")
    func copied() async throws {
        let shelf = try await GalleryShelf(days: 1)
        try shelf.write()
        rmdir(shelf["gallery/.made-by-apod-mirror"])
        try save([1], to: shelf["gallery/notes.txt"])
        #expect(try occupied(shelf).isEmpty)
        try save([1], to: shelf["gallery/gallery.js"])
        #expect(try occupied(shelf) == ["gallery"])
    }

    @Test("beside the gallery's own files stays when these are taken away, twice or not, and nothing else")
    func removal() async throws {
        let shelf = try await GalleryShelf(days: 2)
        try shelf.write()
        let mine = ["gallery/data/mine.js", "gallery/notes.txt"]
        for name in mine { try save([1], to: shelf[name]) }
        let pictures = shelf.shelf.tree.filter { $0.hasPrefix("2026/") }
        try shelf.gallery.remove()
        #expect(shelf.made.filter { !$0.hasSuffix("/") } == mine)
        #expect(shelf.shelf.tree.filter { $0.hasPrefix("2026/") } == pictures)
        unlink(shelf[mine[0]])
        rmdir(shelf["gallery/data"])
        try shelf.gallery.remove()
        #expect(shelf.made.filter { !$0.hasSuffix("/") } == [mine[1]])
        #expect(try occupied(shelf) == ["gallery"])
        unlink(shelf[mine[1]])
        try shelf.write()
        for _ in 1...2 {
            try shelf.gallery.remove()
            #expect(shelf.made.isEmpty)
        }
        try shelf.write()
        #expect(shelf.made.contains("index.html"))
    }

    @Test("stays where it has a mark's name, and the empty ones of the mirror come and go with the gallery")
    func marks() async throws {
        let shelf = try await GalleryShelf(days: 1)
        mkdir(shelf["gallery"], 0o755)
        try save("*.png\n", to: shelf["gallery/.ignore"])
        symlink("elsewhere", shelf["gallery/.noimage"])
        try shelf.write()
        for mark in [".nomedia", ".nomemories"] {
            let facts = try #require(Facts(shelf["gallery/\(mark)"]))
            #expect(facts.kind == S_IFREG && facts.bytes == 0 && facts.permissions == 0o644)
        }
        unlink(shelf["gallery/.nomedia"])
        try shelf.write()
        #expect(Facts(shelf["gallery/.nomedia"]) != nil)
        mkdir(shelf["gallery/2026"], 0o755)
        try shelf.gallery.remove()
        #expect(Facts(shelf["gallery/.nomedia"]) != nil)
        rmdir(shelf["gallery/2026"])
        try shelf.write()
        try shelf.gallery.remove()
        #expect(shelf.made == ["gallery/", "gallery/.ignore", "gallery/.noimage -> elsewhere"])
        #expect(try shelf.text("gallery/.ignore") == "*.png\n")
    }
}
