import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Favorites

/// One after the other: the library is one for the whole process.
@Suite(.patience)
struct BellTests {
    private static let slowly = Duration.seconds(100)

    /// What is done in the root, and what it rings for then; nil for everywhere.
    private static let changes: [(script: String, place: Place?)] = [
        ("echo x >favorites/old", "old"), ("ln -s x favorites/a", "a"), ("mv favorites/a favorites/b", "b"),
        ("rm favorites/b", "b"), ("echo x >favorites/copy", "copy"), ("mv favorites/copy trash", "copy"),
        (
            "ln -s x favorites/.hidden/x; mkdir favorites/.hidden/inner; ln -s x elsewhere/x; mkdir favorites/.new",
            ".new"
        ),
        ("mkdir favorites/album/.a", "album/.a"), ("mv favorites/album/.a favorites/.b", ".b"),
        ("rmdir favorites/.b", ".b"), ("mkdir favorites/c", nil), ("mv favorites/.new favorites/new", nil),
        ("mv favorites/album favorites/c/album", nil), ("mv elsewhere favorites/c/album", nil),
        ("mv favorites/c favorites/d", nil), ("rm -r favorites/d", nil),
    ]

    @Test("The bell rings for each change by its name, and for everywhere where folders change")
    func names() throws {
        let outlook = try Outlook("favorites", "favorites/.hidden", "favorites/album", "elsewhere") { root in
            try save([1], to: "\(root)/favorites/old")
            symlink("../elsewhere", "\(root)/favorites/link")
        }
        #expect(outlook.watching == .inotify)
        for (script, place) in Self.changes {
            try outlook.sh(script)
            if let place { try outlook.places(place) } else { try outlook.everywhere() }
        }
        try outlook.link(in: "new")
    }

    @Test("The bell asks for the folders of links and lists when one comes or goes", arguments: ["search", "lists"])
    func asks(folder: String) throws {
        let outlook = try Outlook("favorites", folder, "\(folder)/a")
        for script in ["mkdir \(folder)/b", "rmdir \(folder)/a"] {
            try outlook.sh(script)
            try outlook.asks()
        }
    }

    /// What is done in the root, and an album that is watched then.
    private static let moves = [
        ("mkdir -p favorites/new/inner/most", "new/inner/most"), ("mv made favorites/made", "made/inner"),
        ("mv favorites/old favorites/new", "new/inner"),
        ("rm -r favorites; mkdir -p favorites/old", "old"), ("mv favorites away; mv other favorites", "b"),
        ("for i in {1..500}; do mkdir favorites/$i; done; rmdir favorites/{1..400}", "450"),
    ]

    @Test("The bell rings in albums that came, moved, or are in another favorites folder", arguments: moves)
    func albums(script: String, album: String) throws {
        let outlook = try Outlook(
            "favorites", "favorites/old", "favorites/old/inner", "made", "made/inner", "other", "other/b",
            pollInterval: Self.slowly)
        try outlook.sh(script)
        try outlook.everywhere()
        try outlook.watched()
        for place in [album, ""] { try outlook.link(in: place) }
        #expect(outlook.timesEverywhere < 100)
    }

    @Test("The bell rings in an album whose name is not text, and in those beside one whose path is too long")
    func odd() throws {
        let odd = try #require(Name([0xff, 10, 0xfe]))
        let name = String(repeating: "long ", count: 40)
        let outlook = try Outlook("favorites", "favorites/b") { root in
            var folder = try Folder.open("\(root)/favorites")
            _ = mkdirat(folder.descriptor, "\u{7f}", 0o755)
            try folder.rename("\u{7f}", to: folder, as: odd)
            for _ in 0..<24 { folder = try folder.makeFolder(name) }
        }
        #expect(outlook.watching == .inotify)
        for album in ["b", "\(name)/\(name)"] { try outlook.link(in: album) }
        try Folder.open(outlook.path("favorites")).folder(odd)?.makeLink("x", to: "../x.jpg")
        try outlook.places(Place(Name("x")!, in: Album.top.inner(odd)))
    }

    @Test("The bell rings for the last of very many events, though nothing follows it", arguments: 4095...4098)
    func last(count: Int) throws {
        let outlook = try Outlook("favorites")
        let x = outlook.path("favorites/x")
        for number in 1..<count { _ = number % 2 == 1 ? symlink("y", x) : unlink(x) }
        symlink("y", outlook.path("favorites/last"))
        try outlook.places("x", "last")
    }

    /// How the favorites are lost, why, and how they come back.
    private static let losses: [(lose: String, lack: Problem.Code, heal: String)] = [
        ("rm -r favorites", .folderMissing, "mkdir -p favorites/a"),
        ("mv favorites away", .folderMissing, "mv away favorites"),
        ("mv favorites away; ln -s away favorites", .folderTaken, "rm favorites; mv away favorites"),
        ("mv favorites away; echo >favorites", .folderTaken, "rm favorites; mv away favorites"),
        ("mount -t tmpfs test favorites", .folder, "umount favorites"),
    ].filter { Disk.canBeMade || $0.heal != "umount favorites" }

    @Test("The bell says that the favorites are lost, and rings again when they are back", arguments: losses)
    func lost(lose: String, lack: Problem.Code, heal: String) throws {
        let outlook = try Outlook("favorites", "favorites/a", pollInterval: Self.slowly)
        for _ in 0..<2 {
            try outlook.sh(lose)
            try outlook.lost(lack, lack == .folder ? EXDEV : 0)
            try outlook.sh(heal)
            try outlook.watched()
            #expect(outlook.rung() == .everywhere)
            try outlook.link(in: "a")
        }
    }

    @Test("The bell looks from time to time for a root that is away")
    func root() throws {
        let outlook = try Outlook("favorites", at: "mirror")
        let away = outlook.root + ".away"
        rename(outlook.root, away)
        try outlook.lost(.folderMissing)
        #expect(outlook.rung(for: .milliseconds(100)) == .everywhere && outlook.rung(for: .milliseconds(100)) == .none)
        rename(away, outlook.root)
        try outlook.watched()
        try outlook.link(in: "")
    }

    @Test("The bell looks from time to time for a root that is mounted over", .disks)
    func mountedOver() throws {
        let outlook = try Outlook("favorites", at: "mirror")
        #expect(mount("test", outlook.root, "tmpfs", 0, nil) == 0)
        try outlook.lost(.folderMissing)
        #expect(umount2(outlook.root, Int32(MNT_DETACH)) == 0)
        try outlook.watched()
        try outlook.link(in: "")
    }

    @Test(
        "The bell says that the favorites may not be read, and watches an album when that may",
        .root)
    func forbidden() throws {
        try Person.asAnother {
            let outlook = try Outlook("favorites", "favorites/a", "favorites/b", pollInterval: Self.slowly) {
                chmod("\($0)/favorites/a", 0)
            }
            try outlook.link(in: "b")
            #expect(chmod(outlook.path("favorites/a"), 0o755) == 0)
            try outlook.everywhere()
            try outlook.link(in: "a")
            #expect(chmod(outlook.path("favorites"), 0) == 0)
            try outlook.lost(.folder, EACCES)
            #expect(chmod(outlook.path("favorites"), 0o755) == 0)
            try outlook.watched()
        }
    }

    @Test("The bell rings for everywhere from time to time where the library is taken")
    func polls() throws {
        let library = try TakenLibrary()
        let outlook = try Outlook("favorites")
        try outlook.polling()
        for _ in 0..<3 { try outlook.everywhere() }
        try outlook.sh("rmdir favorites")
        try outlook.lost(.folderMissing)
        _ = outlook.rung()
        #expect(outlook.rung(for: .milliseconds(100)) == .none)
        try outlook.sh("mkdir favorites")
        try outlook.polling()
        library.trim()
        try outlook.watched()
        outlook.stop()
        #expect(try Inotify.awaited().next() == nil)
    }
}
