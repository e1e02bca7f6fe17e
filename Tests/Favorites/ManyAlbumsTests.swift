import Archive
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

/// More folders than are watched or remembered.
@Suite("Very many albums", .serialized, .timeLimit(.minutes(1)))
struct ManyAlbumsTests {
    private func watching(
        _ albums: [String], _ room: WatchRoom, known: [String] = [], pollInterval: Duration = .seconds(100)
    ) throws -> Outlook {
        let known = Set(known.flatMap { Album(Array($0.utf8))!.way })
        return try Outlook("favorites", pollInterval: pollInterval, room: room, known: known) { root in
            for album in albums { mkdir("\(root)/favorites/\(album)", 0o755) }
        }
    }

    @Test("are watched up to a limit; the others are counted", arguments: [0, 1, 2, 3, 4, 5])
    func limit(count: Int) async throws {
        let outlook = try watching((0..<count).map { "\($0)" }, WatchRoom(folders: 3))
        #expect(outlook.watcher.watching == .inotify)
        #expect(outlook.watcher.unwatched == max(0, count - 3))
        try outlook.makeLink("favorites/x")
        try await outlook.places(place("x"))
    }

    @Test("are watched again when others have gone")
    func room() async throws {
        let outlook = try watching(["a", "b", "c"], WatchRoom(folders: 1))
        #expect(outlook.watcher.unwatched == 2)
        for album in ["a", "b"] {
            try outlook.remove("favorites/\(album)")
            try await outlook.everywhere()
        }
        try await outlook.link(in: "c")
        #expect(outlook.watcher.unwatched == 0)
        try outlook.makeFolder("favorites/d")
        try await outlook.link(in: "c")
        while outlook.watcher.unwatched != 1 { try await outlook.everywhere() }
    }

    @Test("take room by the length of their paths")
    func bytes() throws {
        let albums = ["a", "a/b", "a/b/c"]
        #expect(try watching(albums, WatchRoom(folders: 10, bytes: 9)).watcher.unwatched == 0)
        #expect(try watching(albums, WatchRoom(folders: 10, bytes: 8)).watcher.unwatched == 1)
        #expect(try watching(albums, WatchRoom(folders: 10, bytes: 0)).watcher.unwatched == 1)
    }

    @Test("take no room where they cannot be watched")
    func unreachable() throws {
        let temporary = try TemporaryFolder()
        let root = temporary.path
        let name = String(repeating: "long ", count: 40)
        var folder = try Folder.open(root).makeFolder("favorites")
        var (album, count) = (Album.top, 0)
        while album.inner(Name(name)!).canBeWatched(below: root) {
            (album, count) = (album.inner(Name(name)!), count + 1)
            folder = try folder.makeFolder(name)
        }
        for number in 1...2 { _ = try folder.makeFolder("\(name)\(number)") }
        let outlook = try Outlook("favorites", at: root, room: WatchRoom(folders: count + 1))
        #expect(outlook.watcher.watching == .inotify)
        #expect(outlook.watcher.unwatched == 0)
    }

    @Test("keep none from being watched that has favorites, and none that it is in")
    func known() async throws {
        let others = (0..<20).map { "\($0)" }
        let outlook = try watching(others + ["a", "a/b", "z"], WatchRoom(folders: 3), known: ["a/b", "z"])
        #expect(outlook.watcher.unwatched == 20)
        for album in ["a/b", "z", "a"] { try await outlook.link(in: album) }
    }

    @Test("are taken in the order of their paths' lengths where even those with favorites are too many")
    func tooManyKnown() async throws {
        let outlook = try watching(["a", "a/b", "long"], WatchRoom(folders: 2), known: ["a/b", "long"])
        #expect(outlook.watcher.unwatched == 1)
        for album in ["a/b", "a"] { try await outlook.link(in: album) }
    }

    @Test("are looked at now and then where they are not watched")
    func looks() async throws {
        let outlook = try watching(["a"], WatchRoom(folders: 0), pollInterval: .milliseconds(2))
        for _ in 0..<3 { try await outlook.everywhere() }
        try outlook.remove("favorites/a")
        while outlook.watcher.unwatched > 0 { try await outlook.everywhere() }
        try await outlook.link(in: "")
    }

    private func marks(_ wall: Wall) throws -> [String] {
        try wall.catalog.albums().map { "\(String(decoding: $0.key.path, as: UTF8.self))\($0.value == nil ? "?" : "")" }
            .sorted()
    }

    @Test("are remembered while something in them, or in one inside them, is")
    func remembered() async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir -p a/b/c e/f .hidden; ln -s 2026-11-20 a/b/x; : >e/stranger; mkdir empty a/empty")
        try wall.lookAndSettle()
        try wall.catalog.forgetEmptyAlbums()
        #expect(try marks(wall) == ["", "a", "a/b", "e"])
        try await wall.shell("rm a/b/x e/stranger; ln -s 2026-11-20 empty/x; ln -s 2026-09-13 a/b/c/x")
        try wall.lookAndSettle()
        try wall.look()
        #expect(try marks(wall) == ["", "a", "a/b", "a/b/c", "empty"])
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
        try await wall.shell("rm -r a empty e; ln -s 2026-11-20 x")
        try wall.lookAndSettle()
        try wall.look()
        #expect(try marks(wall) == [""])
        #expect(try wall.days == ["2026-11-20"])
    }

    @Test("that only begin alike are told apart", arguments: ["a b", "a.b", "a0", "aa", "b"])
    func alike(other: String) async throws {
        let wall = try await Wall()
        try wall.album("a")
        try wall.album(other)
        try wall.link("a/x", to: "2026-11-20")
        try wall.link("\(other)/x", to: "2026-09-13")
        try wall.lookAndSettle()
        try wall.remove("a/x")
        try wall.lookAndSettle()
        try wall.look()
        #expect(try marks(wall) == ["", other])
        #expect(try wall.favorites == ["2026-09-13: \(other)/x"])
    }

    /// As a disk that is not mounted: another folder with the name.
    @Test("keep the favorite that came to an empty one, when another folder is in its place", arguments: ["a", "a/b"])
    func replaced(album: String) async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir -p '\(album)'; ln -s 2026-09-13 other")
        try wall.lookAndSettle()
        try wall.link("\(album)/x", to: "2026-11-20")
        try wall.lookAndSettle(at: "\(album)/x")
        #expect(try marks(wall) == ["", "a", "a/b"].filter { $0.count <= album.count })
        try await wall.shell("mv a ../aside; mkdir -p '\(album)'")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: other", "2026-11-20: (\(album)/x)"])
    }

    @Test("keep the favorite that a copy in an empty one became, when another folder is in its place")
    func copied() async throws {
        let wall = try await Wall(adopts: false)
        try await wall.shell("mkdir a; ln -s 2026-09-13 other")
        try wall.lookAndSettle()
        try await wall.shell("cp \"$ORION\" a/x")
        try wall.lookAndSettle(at: "a/x")
        #expect(try marks(wall) == ["", "a"])
        try await wall.shell("mv a ../aside; mkdir a")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: other", "2026-11-20: (a/x)"])
    }

    @Test("lose no favorite, whether they are watched or not, come or go")
    func comeAndGo() async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir -p a/b; ln -s 2026-11-20 a/b/x; ln -s 2026-09-13 y")
        try wall.lookAndSettle()
        for script in ["mkdir {1..3000} a/{1..100}", "rmdir {1..3000}", "rmdir a/{1..100}"] {
            try await wall.shell(script)
            try wall.lookAndSettle()
            #expect(try wall.favorites == ["2026-09-13: y", "2026-11-20: a/b/x"])
            try await wall.restart()
            try wall.lookAndSettle()
            #expect(try wall.favorites == ["2026-09-13: y", "2026-11-20: a/b/x"])
        }
        #expect(try wall.history.allSatisfy { $0.hasPrefix("added") })
    }
}
