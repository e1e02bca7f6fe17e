import Archive
import Catalog
import Concurrency
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Favorites

/// One after the other: the library is one for the whole process.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct WatcherTests {
    @Test("The watcher rings for what is made, written, renamed and removed, by its name")
    func names() async throws {
        let outlook = try Outlook("favorites") { root in try save([1], to: "\(root)/favorites/old") }
        #expect(outlook.watcher.watching == .inotify)
        try save([1, 2], to: outlook.path("favorites/old"))
        try await outlook.places("old")
        try outlook.makeLink("favorites/a")
        try await outlook.places("a")
        try outlook.move("favorites/a", to: "favorites/b")
        try await outlook.places("a", "b")
        try outlook.remove("favorites/b")
        try await outlook.places("b")
        try save([1], to: outlook.path("favorites/copy"))
        try await outlook.places("copy")
        try outlook.move("favorites/copy", to: "trash")
        try await outlook.places("copy")
    }

    @Test("The watcher follows no link and enters no hidden folder")
    func notEntered() async throws {
        let outlook = try Outlook("favorites", "favorites/.hidden", "elsewhere") { root in
            symlink("../elsewhere", "\(root)/favorites/link")
        }
        try outlook.makeLink("favorites/.hidden/x")
        try outlook.makeLink("elsewhere/x")
        try outlook.makeFolder("favorites/.hidden/inner")
        try outlook.makeFolder("favorites/.new")
        try outlook.makeLink("favorites/last")
        try await outlook.places(".new", "last")
        #expect(outlook.timesEverywhere == 0)
    }

    @Test("The watcher rings for a hidden folder that is made, renamed, shown or removed, by its name")
    func hidden() async throws {
        let outlook = try Outlook("favorites", "favorites/album")
        try outlook.makeFolder("favorites/album/.a")
        try await outlook.places("album/.a")
        try outlook.move("favorites/album/.a", to: "favorites/.b")
        try await outlook.places("album/.a", ".b")
        try outlook.remove("favorites/.b")
        try await outlook.places(".b")
        try outlook.makeFolder("favorites/.c")
        try await outlook.places(".c")
        try outlook.move("favorites/.c", to: "favorites/c")
        try await outlook.everywhere()
        try await outlook.link(in: "c")
    }

    @Test(
        "The watcher tells names apart that are not text",
        arguments: [
            Array("new\nline".utf8), [1, 27, 127], [0xff, 0xfe, 0xc3], Array(repeating: 0xe9, count: 255),
        ])
    func bytes(bytes: [UInt8]) async throws {
        let outlook = try Outlook("favorites")
        let name = try #require(Name(bytes))
        try Folder.open(outlook.path("favorites")).makeLink(name, to: "../x.jpg")
        try await outlook.places(Place(name, in: .top))
    }

    @Test("The watcher watches a new album, and one that moves in with all that is in it")
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

    @Test("The watcher watches an album whose name is not text")
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

    @Test("The watcher knows an album by its new name once it is renamed")
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

    @Test("The watcher answers, and does not look anew for that", arguments: ["inotify", "polling", "lost"])
    func answers(state: String) async throws {
        let library = state == "polling" ? try TakenLibrary() : nil
        let slowly = Duration.seconds(100)
        let outlook = try state == "lost" ? Outlook(pollInterval: slowly) : Outlook("favorites", pollInterval: slowly)
        #expect(outlook.watcher.watching.way.rawValue == state)
        for _ in 1...3 { await outlook.watcher.answer() }
        #expect(outlook.changeQueue.take() == .none)
        outlook.watcher.stop()
        await outlook.watcher.answer()
        library?.trim()
    }

    @Test(
        "The watcher misses nothing that comes while it arms: what is there is looked at afterwards, and new albums are watched"
    )
    func arming() async throws {
        let folder = try TemporaryFolder()
        let favorites = folder.appending("favorites")
        mkdir(favorites, 0o755)
        let changeQueue = ChangeQueue()
        let times = Atomic(0)
        let watcher = Watcher(root: folder.path, changeQueue: changeQueue, pollInterval: .seconds(100)) { moment in
            if moment == .arming, times.add(1, ordering: .relaxed).newValue == 1 {
                // What was queued before has been looked at by now.
                _ = changeQueue.take()
                symlink("x", "\(favorites)/early")
            }
            if moment == .watched(.top) { mkdir("\(favorites)/new", 0o755) }
        }
        #expect(changeQueue.take() == .everywhere)
        while true {
            try Task.checkCancellation()
            symlink("x", "\(favorites)/new/x")
            let dirty = changeQueue.take()
            if case .places(let places) = dirty, places.contains("new/x") { break }
            unlink("\(favorites)/new/x")
            await Task.yield()
        }
        watcher.stop()
    }

    @Test("The watcher tells of the last of very many events, though nothing follows it", arguments: 4095...4098)
    func last(count: Int) async throws {
        let files = try TemporaryFolder()
        let isFirst = Atomic(true)
        let made = Mutex(ContinuousClock.now)
        let raceHook: RaceHook = { moment in
            guard moment == .told, isFirst.exchange(false, ordering: .relaxed) else { return }
            defer { made.withLock { $0 = .now } }
            let x = files.appending("mirror/favorites/x")
            for number in 2..<count { _ = number % 2 == 0 ? symlink("y", x) : unlink(x) }
            symlink("y", files.appending("mirror/favorites/last"))
        }
        let outlook = try Outlook("favorites", at: files.appending("mirror"), raceHook: raceHook)
        try outlook.makeLink("favorites/first")
        try await outlook.places("first", "last")
        // Sooner than something else wakes the watcher: somebody mounts a disk.
        #expect(.now - made.withLock(\.self) < .seconds(1))
    }

    @Test("The watcher answers though each event that it tells of makes another")
    func endless() async throws {
        let files = try TemporaryFolder()
        let count = Atomic(0)
        let longest = 1_000_000
        let outlook = try Outlook("favorites", at: files.appending("mirror")) { root in
            for name in ["0", "1"] { try save([], to: "\(root)/favorites/\(name)") }
        } raceHook: { moment in
            guard moment == .told else { return }
            let number = count.add(1, ordering: .relaxed).newValue
            if number < longest { chmod(files.appending("mirror/favorites/\(number & 1)"), 0o644) }
        }
        chmod(outlook.path("favorites/0"), 0o644)
        _ = try await outlook.dirty()
        await outlook.watcher.answer()
        #expect(count.load(ordering: .relaxed) < longest)
        outlook.watcher.stop()
    }

    @Test("The watcher watches the others where the path of one is too long, and of those below it")
    func longPath() async throws {
        let name = String(repeating: "long ", count: 40)
        let outlook = try Outlook("favorites", "favorites/b") { root in
            var folder = try Folder.open("\(root)/favorites")
            for _ in 0..<24 { folder = try folder.makeFolder(name) }
        }
        #expect(outlook.watcher.watching == .inotify)
        try await outlook.link(in: "b")
        try await outlook.link(in: "\(name)/\(name)")
    }

    @Test("The watcher misses nothing while hundreds of albums come and go, and does not arm for each of them")
    func storm() async throws {
        let outlook = try Outlook("favorites")
        let (root, changeQueue, hasEnded) = (outlook.root, outlook.changeQueue, Flag())
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
            changeQueue.add("the end")
        }
        while !hasEnded.isRaised { _ = try await outlook.dirty() }
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
