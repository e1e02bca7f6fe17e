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
        #expect(try wall.days == [] && wall.unrecognised.sorted() == links.keys.sorted())
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

    @Test("is also one to another link beside it, which leads nowhere", arguments: ["2026-11-20", orion])
    func neighbour(name: String) async throws {
        let wall = try await wall("2026/11/\(name)")
        try await wall.shell("mkdir '\(wall.root)/favorites/A'")
        try wall.link("A/\(name)", to: "\(wall.photos)/2026/11/\(name)")
        try wall.link("A/best", to: name)
        try wall.lookAndSettle()
        wall.takeAway()
        try await wall.shell("mv '\(wall.root)/favorites/A' '\(wall.root)/favorites/B'")
        try wall.link("B/later", to: name)
        try wall.link("B/last", to: "later")
        // They lead to each other.
        try wall.link("B/2026-11-19", to: "2026-11-18")
        try wall.link("B/2026-11-18", to: "2026-11-19")
        for _ in 0..<2 {
            try wall.lookAndSettle()
            let links = [
                "B/\(name)": "\(wall.photos)/2026/11/\(name)", "B/best": name, "B/later": name, "B/last": "later",
                "B/2026-11-19": "2026-11-18", "B/2026-11-18": "2026-11-19",
            ]
            try isSomebodys(wall, links)
            try await wall.restart()
        }
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
        // So does any other by words that lead beside the mirror.
        try wall.link("b/y", to: "../\(target)")
        try wall.link("y", to: "../../photos/\(Wall.orionFile)")
        try wall.lookAndSettle()
        try isSomebodys(wall, ["b/c/a/x": target, "b/y": "../\(target)", "y": "../../photos/\(Wall.orionFile)"])
    }

    @Test("does not become one where a relative link is known to a day: it stays that day's")
    func relativeToDay() async throws {
        let wall = try await wall(adopts: false)
        symlink(wall.root, wall.shelf.folder.appending("aside"))
        let target = "../../aside/\(Wall.orionFile)"
        try wall.link("x", to: target)
        try wall.lookAndSettle()
        try wall.catalog.noteElsewhere([Array(target.utf8)])
        unlink(wall.shelf.folder.appending("aside"))
        for _ in 0..<2 { try wall.lookAndSettle() }
        #expect(try wall.favorites == ["2026-11-20: x"])
        // What nobody knows is none.
        try await wall.shell("mv x y")
        try wall.lookAndSettle()
        #expect(try wall.favorites == [] && wall.unrecognised == ["y"])
    }

    @Test(
        "into the folder that the mirror was moved from counts for what it says when that is gone; into a copy of it, it stays",
        arguments: [true, false])
    func movedMirror(wasRoot: Bool) async throws {
        let wall = try await wall(Wall.orionFile, adopts: false)
        try await wall.shell("cp \"$ORION\" '\(wall.photos)/\(Wall.orionFile)'")
        if wasRoot { try wall.catalog.noteRoot(wall.photos) }
        let links = ["x": "\(wall.photos)/\(Wall.orionFile)", "y": "\(wall.photos)/\(Self.party)"]
        try await wall.shell("echo party >'\(wall.photos)/\(Self.party)'")
        for (name, target) in links { try wall.link(name, to: target) }
        try wall.lookAndSettle()
        try isSomebodys(wall, links)
        wall.takeAway()
        try await wall.restart()
        try wall.lookAndSettle()
        #expect(try wall.favorites == (wasRoot ? ["2026-11-20: x"] : []))
        #expect(try wall.unrecognised == (wasRoot ? ["y"] : ["x", "y"]))
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

    @Test("counts when somebody has made it anew and it says something else; in the same words, it stays one")
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
        #expect(try wall.favorites == ["2026-11-20: b/x"] && wall.unrecognised == ["b/y"])
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
        // A day that is asked for in the same words, where nothing of that name is.
        try wall.album("a")
        try wall.link("a/wish", to: "2026-09-13")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: a/wish"])
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
        try wall.link("before", to: "\(wall.root)/\(Wall.orionFile)")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: before"] && wall.unrecognised == ["known"])
        try await wall.shell("ln -sfn '\(wall.photos)/2026/11/2026-11-20 before.jpg' before")
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

    @Test("is one whose disk has never answered", .enabled(if: SilentMount.canBeMade))
    func alwaysSilent() async throws {
        let wall = try await wall()
        mkdir("\(wall.photos)/2026/10", 0o755)
        let mount = try SilentMount(over: "\(wall.photos)/2026/10")
        let target = "\(wall.photos)/2026/10/2026-10-01 party.jpg"
        try wall.link("x", to: target)
        try wall.lookAndSettle()
        #expect(try why(wall) == ["its disk does not answer; it is looked at again when that does"])
        mount.hide()
        try await wall.restart()
        try wall.lookAndSettle()
        try isSomebodys(wall, ["x": target])
    }

    /// Of all kinds that could be taken for links to days.
    private static let kinds = [
        "party": party, "orion": Wall.orionFile, "json": "2026/11/2026-11-20 Orion Rising.json",
        "small": "gallery/2026/2026-11-20-480.webp", "folder": "2026/10/2026-10-01",
        "later": "2026/11/2026-11-21 Tomorrow.jpg",
    ]

    private func link(_ album: String, on wall: Wall) throws -> [String: String] {
        try wall.album(album)
        for (name, photo) in Self.kinds { try wall.link("\(album)/\(name)", to: "\(wall.photos)/\(photo)") }
        return Self.kinds.mapValues { "\(wall.photos)/\($0)" }
    }

    private func within(_ album: String, _ links: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: links.map { ("\(album)/\($0)", $1) })
    }

    private static let (eleven, twelve) = (
        "DROP INDEX file_content; PRAGMA user_version = 11",
        """
        ALTER TABLE link ADD COLUMN target BLOB; CREATE INDEX elsewhere ON link (target, name) WHERE target IS NOT NULL;
        UPDATE link SET target = x'' WHERE day IS NULL; PRAGMA user_version = 12
        """
    )

    @Test(
        "is one in a catalog that did not note what it says, whatever it is called, and noted then",
        arguments: [true, false], [eleven, twelve])
    func upgraded(isAway: Bool, former: String) async throws {
        let wall = try await wall(Self.party)
        try await wall.shell("for i in {1..1200}; do : >$i; done")
        try wall.lookAndSettle()
        let links = try link("z", on: wall)
        try wall.catalog.database.withLock { database throws(StorageError) in
            try database.script("DROP TABLE refused; DROP TABLE led_elsewhere; DROP TABLE root; " + former)
        }
        if isAway { wall.takeAway() } else { try await wall.shell("mkdir -p '\(wall.photos)'/2026/10/2026-10-01") }
        try await wall.restart()
        try wall.lookAndSettle()
        if !isAway { wall.takeAway() }
        try await wall.shell("rm [0-9]*; mv z y")
        for _ in 0..<2 { try wall.lookAndSettle() }
        try isSomebodys(wall, within("y", links))
        // From then on, others count again.
        try wall.link("x", to: "/client/\(Wall.orionFile)")
        try wall.lookAndSettle()
        #expect(wall.target("x") == "../\(Wall.orionFile)")
    }

    @Test("is one in a catalog that was made anew while its end is away, wherever it is moved then")
    func remade() async throws {
        let wall = try await wall(adopts: true)
        let links = try link("a", on: wall)
        wall.takeAway()
        try await wall.forgetEverything()
        try wall.look(at: "a/orion", "a/party")
        for _ in 0..<2 { try wall.lookAndSettle() }
        try isSomebodys(wall, within("a", links))
        try await wall.shell("mv a b")
        try await wall.restart()
        try wall.lookAndSettle()
        try isSomebodys(wall, within("b", links))
        try wall.link("x", to: "/client/\(Wall.orionFile)")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: x"] && wall.target("x") == "../\(Wall.orionFile)")
    }

    @Test("is none in a catalog that was made anew, if it is in the list of favorites, or speaks of this mirror")
    func recalled() async throws {
        let wall = try await wall(adopts: false)
        try wall.link("x", to: "/client/\(Wall.orionFile)")
        try wall.lookAndSettle()
        try await wall.forgetEverything()
        try wall.link("wish", to: "2026-11-21")
        try wall.link("former", to: "\(wall.root)/2026/09/2026-09-13 Another.jpg")
        try wall.link("new", to: "/client/\(Wall.orionFile)")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: former", "2026-11-20: x", "2026-11-21: wish"])
        #expect(try wall.unrecognised == ["new"])
    }

    @Test("is one until all is seen: as long as a folder cannot be looked into, none that is not known counts")
    func unseen() async throws {
        let wall = try await wall()
        try await wall.forgetEverything()
        try await wall.shell("mkdir closed; chmod 0 closed; chown -R nobody \"$ROOT\"; chown root closed")
        try Person.asAnother { try wall.lookAndSettle() }
        #expect(try wall.catalog.isForgetful)
        try await wall.shell("rmdir closed")
        try Person.asAnother { try wall.lookAndSettle() }
        #expect(try !wall.catalog.isForgetful)
    }

    @Test("stays one that was moved away and back while its end is away", arguments: [true, false])
    func movedOut(isStopped: Bool) async throws {
        let wall = try await wall()
        let links = try link("a", on: wall)
        try await wall.shell("mkdir -p '\(wall.photos)'/2026/10/2026-10-01 '\(wall.photos)'/gallery/2026")
        for photo in Self.kinds.values where !photo.hasSuffix("01") {
            try await wall.shell("echo photo >'\(wall.photos)/\(photo)'")
        }
        try wall.lookAndSettle()
        wall.takeAway()
        try await wall.shell("mv a $OUT")
        if isStopped { try await wall.restart() }
        for _ in 0..<2 { try wall.lookAndSettle() }
        #expect(try wall.unrecognised == [])
        try await wall.shell("mv $OUT/a b; cp -a b c")
        for _ in 0..<2 { try wall.lookAndSettle() }
        try isSomebodys(wall, within("b", links).merging(within("c", links)) { $1 })
    }

    @Test("that has come while its end is away is one unless it is called like the picture of its day")
    func newcomers() async throws {
        let wall = try await Wall()
        let links = ["x": "/nas/\(Self.party)", "y": "../../\(Self.party)"]
        for (name, target) in links { try wall.link(name, to: target) }
        try wall.lookAndSettle()
        try isSomebodys(wall, links)
        #expect(try why(wall) == Array(repeating: "a link that leads nowhere, and no picture is called so", count: 2))
        // What asked for a day that has come counts, and stays as it is.
        let later = "/nas/2026/11/2026-11-21 party.jpg"
        try wall.link("later", to: later)
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-11-21"])
        try await wall.come(Day("2026-11-21")!, [(.picture, .jpeg)])
        #expect(try wall.days == ["2026-11-21"] && wall.target("later") == later)
    }

    @Test("counts for nothing any more, where it is not known, when more led elsewhere than can be remembered")
    func tooMany() async throws {
        let wall = try await Wall()
        let number = Catalog.mostElsewhere
        try wall.catalog.database.withLock { database throws(StorageError) in
            try database.script("INSERT INTO led_elsewhere VALUES (\(number), x'01')")
        }
        let target = "/client/\(Wall.orionFile)"
        try wall.link("x", to: target)
        for _ in 0..<2 { try wall.lookAndSettle() }
        try isSomebodys(wall, ["x": target])
    }

    @Test("stays one among 12,500, after their album is renamed and the service started again", .timeLimit(.minutes(3)))
    func very() async throws {
        let wall = try await wall(Wall.orionFile, Self.party)
        try wall.album("a")
        // Each says something else.
        for number in 0..<12_500 {
            symlink(".", "\(wall.photos)/n\(number)")
            let photo = [Wall.orionFile, Self.party][number % 2]
            try wall.link("a/\(number)", to: "\(wall.photos)/n\(number)/\(photo)")
        }
        try wall.lookAndSettle()
        #expect(try wall.days == [] && wall.catalog.favoritesSummary().unrecognised == 12_500)
        wall.takeAway()
        func check(_ album: String) throws {
            try wall.lookAndSettle()
            #expect(try wall.days == [] && wall.catalog.favoritesSummary().unrecognised == 12_500)
            let changed = (0..<12_500).count { wall.target("\(album)/\($0)")?.hasPrefix(wall.photos) != true }
            #expect(changed == 0)
        }
        try await wall.shell("mv a b")
        try check("b")
        try await wall.restart()
        try check("b")
    }
}

extension Wall {
    /// A folder on another disk.
    fileprivate var photos: String { shelf.folder.appending("photos") }

    fileprivate func takeAway() { rename(photos, shelf.folder.appending("aside")) }
}
