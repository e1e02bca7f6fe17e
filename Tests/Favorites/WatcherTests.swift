import Archive
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Favorites

/// One after the other: the library is one for the whole process.
@Suite("The watcher", .serialized, .timeLimit(.minutes(1)))
struct WatcherTests {
    @Test("rings for what is made, written, renamed and removed, by its name")
    func names() async throws {
        let outlook = try Outlook("favorites")
        #expect(outlook.watcher.watching == .inotify)
        try outlook.makeLink("favorites/a")
        try await outlook.places(place("a"))
        try outlook.move("favorites/a", to: "favorites/b")
        try await outlook.places(place("a"), place("b"))
        try outlook.remove("favorites/b")
        try await outlook.places(place("b"))
        try save([1], to: outlook.path("favorites/copy"))
        try await outlook.places(place("copy"))
        try outlook.move("favorites/copy", to: "trash")
        try await outlook.places(place("copy"))
    }

    @Test("knows the albums that were there before, however deep")
    func albums() async throws {
        let outlook = try Outlook("favorites", "favorites/a", "favorites/a/b", "favorites/a/b/c")
        for album in ["a", "a/b", "a/b/c"] {
            try outlook.makeLink("favorites/\(album)/x")
            try await outlook.places(place("x", in: album))
        }
    }

    @Test("follows no link and enters no hidden folder")
    func notEntered() async throws {
        let outlook = try Outlook("favorites", "favorites/.hidden", "elsewhere") { root in
            symlink("../elsewhere", "\(root)/favorites/link")
        }
        try outlook.makeLink("favorites/.hidden/x")
        try outlook.makeLink("elsewhere/x")
        try outlook.makeFolder("favorites/.hidden/inner")
        try outlook.makeFolder("favorites/.new")
        try outlook.makeLink("favorites/last")
        #expect(try await outlook.hints() == .places([place("last")]))
    }

    @Test(
        "tells names apart that are not text",
        arguments: [
            Array("new\nline".utf8), [1, 27, 127], [0xff, 0xfe, 0xc3], Array(repeating: 0xe9, count: 255), [92],
        ])
    func bytes(bytes: [UInt8]) async throws {
        let outlook = try Outlook("favorites")
        let name = try #require(Name(bytes))
        try Folder.open(outlook.path("favorites")).makeLink(name, to: "../x.jpg")
        try await outlook.places(Place(name, in: .top))
    }

    @Test("watches a new album, and one that moves in with all that is in it")
    func newAlbums() async throws {
        let outlook = try Outlook("favorites", "made", "made/inner", "made/inner/most")
        try outlook.makeFolder("favorites/new")
        try await outlook.everywhere()
        try await outlook.link(in: "new")
        try outlook.makeLink("made/inner/x")
        try outlook.move("made", to: "favorites/made")
        try await outlook.everywhere()
        for album in ["made", "made/inner", "made/inner/most", "new"] { try await outlook.link(in: album) }
    }

    @Test("watches an album whose name is not text")
    func oddAlbum() async throws {
        let outlook = try Outlook("favorites")
        let odd = try #require(Name([0xff, 10, 0xfe]))
        let favorites = try Folder.open(outlook.path("favorites"))
        try outlook.makeFolder("made")
        try Folder.open(outlook.root).rename("made", to: favorites, as: odd)
        try await outlook.everywhere()
        try outlook.makeFolder("favorites/other")
        try await outlook.everywhere()
        try favorites.folder(odd)?.makeLink("x", to: "../x.jpg")
        try await outlook.places(Place(Name("x")!, in: Album.top.inner(odd)))
    }

    @Test("knows an album by its new name once it is renamed")
    func renamedAlbum() async throws {
        let outlook = try Outlook("favorites", "favorites/old", "favorites/old/inner")
        try outlook.move("favorites/old", to: "favorites/new")
        try await outlook.everywhere()
        try await outlook.link(in: "new/inner")
        try await outlook.link(in: "new")
        try outlook.move("favorites/new/inner", to: "favorites/inner")
        try await outlook.everywhere()
        try await outlook.link(in: "inner")
    }

    @Test("answers, and does not look anew for that", arguments: [true, false])
    func answers(isLost: Bool) async throws {
        let outlook = isLost ? try Outlook() : try Outlook("favorites", "favorites/a")
        for _ in 1...3 { await outlook.watcher.answer() }
        if !isLost { try await outlook.link(in: "a") }
        outlook.watcher.stop()
        await outlook.watcher.answer()
    }

    @Test("misses nothing while hundreds of albums come and go, and does not arm for each of them")
    func storm() async throws {
        let outlook = try Outlook("favorites")
        let (root, bell, hasEnded) = (outlook.root, outlook.bell, Flag())
        async let storm: () = blocking {
            for number in 0..<500 {
                mkdir("\(root)/favorites/\(number)", 0o755)
                symlink("x", "\(root)/favorites/\(number)/x")
            }
            for number in 0..<400 {
                unlink("\(root)/favorites/\(number)/x")
                rmdir("\(root)/favorites/\(number)")
            }
            hasEnded.raise()
            bell.ring(place("the end"))
        }
        while !hasEnded.isRaised { _ = try await outlook.hints() }
        await storm
        #expect(outlook.timesEverywhere < 100)
        try await outlook.link(in: "499")
        try await outlook.link(in: "400")
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
}
