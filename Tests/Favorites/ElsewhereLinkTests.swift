import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Catalog
@testable import Favorites

/// Links to what may be away, as on a disk that is not mounted now: by their names, they could be links to pictures.
@Suite("A link that is known to lead out of the mirror")
struct ElsewhereLinkTests {
    private static let party = "2026/11/2026-11-20 party.jpg"
    private static let orion = "2026-11-20 Orion Rising.jpg"

    /// With a folder of photos beside it, which comes and goes.
    private func wall(_ photos: String..., adopts: Bool = true) async throws -> Wall {
        let wall = try await Wall(adopts: adopts)
        for photo in photos.isEmpty ? [Self.party] : photos {
            let path = "\(wall.photos)/\(photo)"
            try await wall.shell("mkdir -p \"$(dirname '\(path)')\"; echo photo >'\(path)'")
        }
        return wall
    }

    private func isSomebodys(_ wall: Wall, _ links: [String: String]) throws {
        #expect(try wall.days == [] && wall.unrecognised == links.keys.sorted())
        for (name, target) in links { #expect(wall.target(name) == target) }
    }

    private func why(_ wall: Wall) throws -> [String] { try wall.catalog.unrecognised(atMost: 9).map(\.why) }

    @Test(
        "stays one while its end is away, also if that is called like a picture, or like a day",
        arguments: [
            party, Wall.orionFile, "2026/11/2026-11-20 Orion Rising.json", "2026/11/2026-11-20",
            "gallery/2026/2026-11-20-480.webp", "2026/11/2026-11-21 Tomorrow.jpg",
        ], [true, false])
    func away(photo: String, isRelative: Bool) async throws {
        let wall = try await wall(photo)
        let target = isRelative ? "../../photos/\(photo)" : "\(wall.photos)/\(photo)"
        try wall.link("x", to: target)
        try wall.lookAndSettle()
        try isSomebodys(wall, ["x": target])
        wall.takeAway()
        for _ in 0..<2 {
            try wall.lookAndSettle(at: "x")
            try wall.lookAndSettle()
            try isSomebodys(wall, ["x": target])
            try await wall.restart()
        }
        let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
        #expect(editor.findLinks(to: [Wall.orion]).isEmpty)
        #expect(try FavoritesSnapshot(at: Folder.open(wall.root), wall.catalog).days.isEmpty)
    }

    @Test(
        "stays one wherever its album is moved or copied while its end is away",
        arguments: [
            "mv a b", "mkdir b; mv a b", "mv a/in b; rmdir a", "mv a/in/x x; rm -r a", "mv a/in/x renamed; rm -r a",
            "cp -a a b; rm -r a", "cp -a a b",
        ], [party, Wall.orionFile])
    func moved(how: String, photo: String) async throws {
        for isSeen in [true, false] {
            let wall = try await wall(photo)
            try await wall.shell("mkdir -p a/in")
            let target = "\(wall.photos)/\(photo)"
            try wall.link("a/in/x", to: target)
            try wall.lookAndSettle()
            wall.takeAway()
            if !isSeen { try await wall.stop() }
            try await wall.shell(how)
            if !isSeen { try wall.open() }
            for _ in 0..<2 { try wall.lookAndSettle() }
            let links = listing(wall.folder).filter { $0.contains(" -> ") }.map { String($0.prefix { $0 != " " }) }
            #expect(links.count == (how.hasSuffix("b") && how.hasPrefix("cp") ? 2 : 1))
            try isSomebodys(wall, Dictionary(uniqueKeysWithValues: links.map { ($0, target) }))
        }
    }

    @Test("by a relative path stays one under its name, in whatever album that is")
    func relative() async throws {
        let wall = try await wall()
        let target = "../../../photos/\(Self.party)"
        try wall.album("a")
        try wall.link("a/x", to: target)
        try wall.lookAndSettle()
        try isSomebodys(wall, ["a/x": target])
        // From there, it leads nowhere, though nothing is away.
        try await wall.shell("mkdir -p b/c; mv a b/c")
        try wall.lookAndSettle()
        try isSomebodys(wall, ["b/c/a/x": target])
        // Another of these words is another link.
        try wall.link("b/y", to: "../\(target)")
        try wall.link("y", to: target)
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: y, b/y"])
    }

    @Test("into the folder that the mirror was moved from counts for what it says when that is gone")
    func movedMirror() async throws {
        let wall = try await wall(Wall.orionFile, adopts: false)
        try await wall.shell("cp \"$ORION\" '\(wall.photos)/\(Wall.orionFile)'")
        try wall.link("x", to: "\(wall.photos)/\(Wall.orionFile)")
        try wall.lookAndSettle()
        #expect(try wall.days == [] && wall.unrecognised == ["x"])
        wall.takeAway()
        try await wall.restart()
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: x"])
    }

    @Test("by a relative path stays one by another name in its album, too")
    func renamed() async throws {
        let wall = try await wall()
        let target = "../../photos/\(Self.party)"
        try wall.link("x", to: target)
        try wall.lookAndSettle()
        wall.takeAway()
        try await wall.shell("mv x y")
        try wall.lookAndSettle()
        try isSomebodys(wall, ["y": target])
    }

    @Test("by a relative path takes nothing from links to days of the same words in other albums")
    func sameWords() async throws {
        let wall = try await wall(adopts: false)
        try await wall.shell("mkdir a b c")
        for (name, target) in [("x", Self.orion), ("w", "2026-11-21")] {
            try wall.link("b/\(name)", to: target)
        }
        try wall.lookAndSettle()
        let favorites = try wall.favorites
        try await wall.shell("mkdir a/2026-11-21; echo photo >'a/\(Self.orion)'")
        for (name, target) in [("x", Self.orion), ("w", "2026-11-21")] {
            try wall.link("a/\(name)", to: target)
        }
        for _ in 0..<2 { try wall.lookAndSettle() }
        #expect(try wall.favorites == favorites)
        try await wall.shell("mv b c/d")
        for _ in 0..<2 { try wall.lookAndSettle() }
        #expect(try wall.days == ["2026-11-20", "2026-11-21"])
    }

    @Test("counts when somebody has made it anew, as what it says then")
    func anew() async throws {
        let wall = try await wall(Self.party, Wall.orionFile)
        try wall.album("a")
        for (name, photo) in [("x", Self.party), ("y", Wall.orionFile)] {
            try wall.link("a/\(name)", to: "\(wall.photos)/\(photo)")
        }
        try wall.lookAndSettle()
        wall.takeAway()
        try await wall.shell("ln -sfn '/nas/\(Wall.orionFile)' a/x; mv a b")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: b/x"] && wall.unrecognised == ["b/y"])
        try wall.remove("b/y")
        try wall.lookAndSettle()
        try wall.link("b/y", to: "\(wall.photos)/\(Wall.orionFile)")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: b/x, b/y"])
    }

    @Test("is one to a folder, to something that is no file, or through another link, too")
    func kinds() async throws {
        let wall = try await wall("2026/11/photo.jpg")
        let (folder, pipe) = ("\(wall.photos)/2026/10/2026-10-01", "\(wall.photos)/2026/10/2026-10-02.jpg")
        try await wall.shell("mkdir -p '\(folder)'; mkfifo '\(pipe)'")
        let links = [
            "folder": folder, "pipe": pipe, "2026-09-13": "\(wall.photos)/2026/11/photo.jpg", "short": "2026-09-13",
        ]
        for (name, target) in links { try wall.link(name, to: target) }
        try wall.lookAndSettle()
        try isSomebodys(wall, links)
        wall.takeAway()
        try wall.lookAndSettle()
        try isSomebodys(wall, links)
        // A day that is asked for in the same words.
        try wall.link("wish", to: "2026-09-13")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: wish"])
        #expect(wall.target("short") == "2026-09-13")
    }

    @Test("is a file that stands for one, too")
    func desktopFile() async throws {
        let wall = try await wall(Wall.orionFile)
        let path = "\(wall.photos)/\(Wall.orionFile)".replacing(" ", with: "%20")
        try await wall.shell("mkdir a; printf '[Desktop Entry]\\nType=Link\\nURL=file://%s\\n' '\(path)' >a/x.desktop")
        let text = try contents("\(wall.folder)/a/x.desktop")
        try wall.lookAndSettle()
        #expect(try wall.unrecognised == ["a/x.desktop"])
        wall.takeAway()
        try await wall.shell("mv a b")
        try wall.lookAndSettle()
        #expect(try wall.days == [] && wall.unrecognised == ["b/x.desktop"])
        #expect(try contents("\(wall.folder)/b/x.desktop") == text)
    }

    @Test(
        "is one where the service may not look any more; others there count, unless no picture is called so",
        .enabled(if: geteuid() == 0))
    func closed() async throws {
        let wall = try await wall(Self.party, Wall.orionFile, adopts: false)
        try wall.link("known", to: "\(wall.photos)/\(Wall.orionFile)")
        try wall.link("before", to: "\(wall.photos)/2026/11/2026-11-20 before.jpg")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: before"] && wall.unrecognised == ["known"])
        chmod(wall.photos, 0o700)
        for (name, photo) in [
            ("party", Self.party), ("orion", "copy/\(Wall.orionFile)"), ("date", "2026/09/2026-09-13"),
            ("wish", "2026/11/2026-11-21 Tomorrow.jpg"),
        ] { try wall.link(name, to: "\(wall.photos)/\(photo)") }
        try await wall.shell("chown -R nobody \"$ROOT\"")
        for _ in 0..<2 { try Person.asAnother { try wall.lookAndSettle() } }
        let favorites = try wall.favorites
        #expect(favorites == ["2026-09-13: date", "2026-11-20: before, orion", "2026-11-21: wish"])
        let reasons = try why(wall)
        #expect(
            reasons == [
                "a link out of the mirror", "a link to where the service may not look, and no picture is called so",
            ])
    }

    @Test("is one among very many things that are not recognised, too", arguments: [1200, 0])
    func crowd(others: Int) async throws {
        let wall = try await wall()
        let target = "\(wall.photos)/\(Self.party)"
        try await wall.shell("mkdir a; for i in $(seq \(others)); do : >a/$i; done")
        try wall.lookAndSettle()
        try await wall.shell("mkdir z; for i in {1..5}; do ln -s '\(target)' z/$i; done")
        try wall.lookAndSettle()
        wall.takeAway()
        try await wall.shell("mv z y")
        try wall.lookAndSettle()
        #expect(try wall.days == [])
        for number in 1...5 { #expect(wall.target("y/\(number)") == target) }
        #expect(try wall.catalog.favoritesSummary().unrecognised == others + 5)
    }

    @Test("stays one after its disk has not answered", .enabled(if: SilentMount.canBeMade))
    func silent() async throws {
        let wall = try await wall()
        let photo = "\(wall.photos)/2026/10/2026-10-01 party.jpg"
        mkdir("\(wall.photos)/2026/10", 0o755)
        let mount = try SilentMount(over: "\(wall.photos)/2026/10")
        try mount.answer(with: [("2026-10-01 party.jpg", "\(wall.photos)/\(Self.party)")])
        try wall.album("a")
        try wall.link("a/x", to: photo)
        try wall.lookAndSettle()
        #expect(try why(wall) == ["a link out of the mirror"])
        mount.fallSilent()
        try await wall.shell("mv a b")
        try wall.lookAndSettle()
        #expect(try why(wall) == ["its disk does not answer; it is looked at again when that does"])
        mount.hide()
        // Whoever has asked waits still.
        try await wall.restart()
        try wall.lookAndSettle()
        try isSomebodys(wall, ["b/x": photo])
        #expect(try why(wall) == ["a link out of the mirror"])
    }

    @Test(
        "is one in a catalog that did not note what it says, unless it is called like a picture, and noted then",
        arguments: [true, false])
    func upgraded(isAway: Bool) async throws {
        let wall = try await wall(Self.party, Wall.orionFile, "2026/10/2026-10-01/photo")
        let links = [
            "party": "\(wall.photos)/\(Self.party)", "orion": "\(wall.photos)/\(Wall.orionFile)",
            "folder": "\(wall.photos)/2026/10/2026-10-01",
        ]
        try wall.album("a")
        for (name, target) in links { try wall.link("a/\(name)", to: target) }
        try wall.lookAndSettle()
        // What was not noted may be another link by now.
        let old = """
            DROP INDEX IF EXISTS file_content; DROP INDEX elsewhere; ALTER TABLE link DROP COLUMN target;
            PRAGMA user_version = 11
            """
        try wall.catalog.database.withLock { database throws(StorageError) in try database.script(old) }
        if isAway { wall.takeAway() }
        try await wall.restart()
        try wall.lookAndSettle()
        if !isAway { wall.takeAway() }
        try await wall.shell("mv a b")
        try wall.lookAndSettle()
        for (name, target) in links where !isAway || name != "orion" { #expect(wall.target("b/\(name)") == target) }
        #expect(try wall.favorites == (isAway ? ["2026-11-20: b/orion"] : []))
    }
}

extension Wall {
    /// A folder on another disk.
    fileprivate var photos: String { shelf.folder.appending("photos") }

    fileprivate func takeAway() { rename(photos, shelf.folder.appending("aside")) }
}
