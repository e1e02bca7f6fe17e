import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites
@testable import Watching

/// More folders than are watched.
@Suite("Folders to watch", .serialized, .timeLimit(.minutes(1)))
struct WatchRoomTests {
    private func watching(
        _ albums: [String], _ room: WatchRoom, pollInterval: Duration = .seconds(100)
    ) throws -> Outlook {
        try Outlook("favorites", pollInterval: pollInterval, room: room) { root in
            for album in albums { mkdir("\(root)/favorites/\(album)", 0o755) }
        }
    }

    @Test("are those whose paths are as long as the system takes, and no longer")
    func longest() {
        // With the zero at its end, a path has 4096 bytes (inotify_add_watch(2)).
        let root = "/" + String(repeating: "x", count: 4095 - "//favorites".utf8.count)
        #expect(Album.top.canBeWatched(below: root) && !Album.top.canBeWatched(below: root + "x"))
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

    @Test("are looked at now and then where they are not watched")
    func looks() async throws {
        let outlook = try watching(["a"], WatchRoom(folders: 0), pollInterval: .milliseconds(2))
        for _ in 0..<3 { try await outlook.everywhere() }
        try outlook.remove("favorites/a")
        while outlook.watcher.unwatched > 0 { try await outlook.everywhere() }
        try await outlook.link(in: "")
    }
}
