import Apod
import Archive
import Catalog
import Favorites
import Glibc
import TestSupport
import Testing

@Suite("Favorites whose links go")
struct VanishedTests {
    private func wall(links count: Int = 3) async throws -> Wall {
        let wall = try await Wall()
        // One after the other: the folder tells of them in any order.
        for number in 0..<count {
            try wall.link("link \(number)", to: number == 0 ? orion : clouds)
            try wall.look(at: "link \(number)")
        }
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
        return wall
    }

    private let orion = "../\(Wall.orionFile)"
    private let clouds = "../\(Wall.cloudsFile)"

    @Test("end with the last link")
    func lastLink() async throws {
        let wall = try await wall()
        try wall.remove("link 0")
        try wall.remove("link 1")
        try wall.look(at: "link 0", "link 1")
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
        try wall.settle()
        #expect(try wall.favorites == ["2026-09-13: link 2"])
        #expect(try wall.history == ["added 2026-11-20", "added 2026-09-13", "removed 2026-11-20"])
    }

    @Test("stay when the links are there and cannot be read")
    func unreadable() async throws {
        let wall = try await wall()
        try wall.album("a")
        for number in 0..<3 { rename("\(wall.folder)/link \(number)", "\(wall.folder)/a/link \(number)") }
        try wall.lookAndSettle()
        let before = try wall.favorites
        // Its names may be listed, and nothing more.
        chmod("\(wall.folder)/a", 0o744)
        try Person.asAnother {
            try wall.lookAndSettle(at: "a/link 0")
            try wall.lookAndSettle()
        }
        #expect(try wall.favorites == before)
    }

    @Test("stay when the link is back before that")
    func back() async throws {
        let wall = try await wall()
        try wall.remove("link 0")
        try wall.look(at: "link 0")
        try wall.link("link 0", to: orion)
        try wall.settle()
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
        #expect(try wall.history.count == 2)
    }

    @Test("are known to have vanished until they are made again, noticed or not")
    func known() async throws {
        let wall = try await wall()
        func hasVanished() throws -> Bool {
            try FavoritesEditor(root: wall.root, catalog: wall.catalog).hasVanished(Wall.orion)
        }
        #expect(try !hasVanished())
        for number in 0..<3 { try wall.remove("link \(number)") }
        #expect(try hasVanished())
        try await wall.restart()
        try wall.lookAndSettle()
        #expect(try wall.favorites.last == "2026-11-20: (link 0)" && hasVanished())
        try wall.link("link 0", to: orion)
        #expect(try !hasVanished())
    }

    @Test("are told to be back once, however many links are made again at once")
    func backAtOnce() async throws {
        let wall = try await wall()
        for number in 0..<3 { try wall.remove("link \(number)") }
        try await wall.restart()
        try wall.lookAndSettle()
        for number in 1..<3 { try wall.link("link \(number)", to: clouds) }
        try wall.look()
        #expect(try wall.history.filter { $0.hasPrefix("restored") } == ["restored 2026-09-13"])
    }

    @Test("are none that were renamed before the first look with a new catalog, one or all", arguments: [1, 2])
    func renamedBefore(count: Int) async throws {
        let wall = try await Wall()
        let targets = [clouds, orion].prefix(count)
        for (number, target) in targets.enumerated() { try wall.link("old \(number)", to: target) }
        try wall.lookAndSettle()
        try await wall.forgetEverything()
        for number in 0..<count { rename("\(wall.folder)/old \(number)", "\(wall.folder)/new \(number)") }
        try wall.lookAndSettle()
        #expect(try wall.favorites == Array(["2026-09-13: new 0", "2026-11-20: new 1"].prefix(count)))
        #expect(wall.reconciler.takeVanished() == 0)
    }

    @Test("are on no other disk where something else has the name of their album")
    func noAlbum() async throws {
        let wall = try await Wall()
        try wall.album("a")
        try wall.link("a/x", to: "../../\(Wall.orionFile)")
        try wall.lookAndSettle()
        for script in ["rm -r a; touch a", "rm a; ln -s a a"] {
            try await wall.shell(script)
            let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
            #expect(editor.absences(of: Wall.orion).isEmpty)
        }
        #expect(try FavoritesEditor(root: wall.root, catalog: wall.catalog).add(Wall.orion) != nil)
    }

    @Test("follow a link that is renamed, moved or replaced")
    func renamed() async throws {
        let wall = try await wall()
        try wall.album("album")
        rename("\(wall.folder)/link 0", "\(wall.folder)/album/other")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: link 1, link 2", "2026-11-20: album/other"])
        try wall.remove("link 2")
        try wall.link("link 2", to: "2019-04-10")
        try wall.lookAndSettle(at: "link 2")
        #expect(try wall.days == ["2019-04-10", "2026-09-13", "2026-11-20"])
        try wall.remove("link 1")
        try wall.lookAndSettle(at: "link 1")
        #expect(try wall.days == ["2019-04-10", "2026-11-20"])
        #expect(try !wall.history.contains("removed 2026-11-20"))
    }

    @Test("stay with the folder, deleted and made again at once")
    func recreated() async throws {
        let wall = try await wall()
        for number in 0..<3 { try wall.remove("link \(number)") }
        rmdir(wall.folder)
        mkdir(wall.folder, 0o755)
        try wall.look(at: "link 0", "link 1", "link 2")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: (link 1), (link 2)", "2026-11-20: (link 0)"])
        #expect(try wall.catalog.favoritesSummary().vanished == 2)
        try wall.link("new", to: orion)
        try wall.lookAndSettle(at: "new")
        #expect(try wall.favorites == ["2026-09-13: (link 1), (link 2)", "2026-11-20: new, (link 0)"])
        let losses = ["vanished 2026-09-13", "vanished 2026-11-20"]
        #expect(try wall.history.dropFirst(2) == losses + ["restored 2026-11-20"])
        // It has a link, and another of it that is back makes no difference.
        try wall.link("link 0", to: orion)
        try wall.lookAndSettle(at: "link 0")
        #expect(try wall.history.count == 5)
        let places = try wall.catalog.history().map { $0.place?.description }
        #expect(places.first == "new" && places[1] == "link 0" && places[2]?.hasPrefix("link ") == true)
    }

    @Test("are told in the history as soon as one of them has no link left, and no sooner")
    func history() async throws {
        let wall = try await wall(links: 4)
        try wall.link("other", to: orion)
        try wall.lookAndSettle()
        // Most of them, but not the other.
        for number in 0..<4 { try wall.remove("link \(number)") }
        try await wall.restart()
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: (link 1), (link 2), (link 3)", "2026-11-20: other, (link 0)"])
        #expect(try wall.history.dropFirst(2) == ["vanished 2026-09-13"])
        #expect(try wall.restore(.vanished).count == 4)
        try wall.lookAndSettle()
        #expect(try wall.history.dropFirst(2) == ["vanished 2026-09-13", "restored 2026-09-13"])
    }

    @Test(
        "stay while the folder is away, and are whole when it is back",
        arguments: ["gone", "a file", "a link", "another folder"])
    func away(what: String) async throws {
        let wall = try await wall()
        let aside = wall.shelf.folder.appending("aside")
        rename(wall.folder, aside)
        switch what {
        case "a file": try save([1], to: wall.folder)
        case "a link": symlink(aside, wall.folder)
        case "another folder": mkdir(wall.folder, 0o755)
        default: break
        }
        try wall.look(at: "link 0", "link 1")
        try wall.lookAndSettle()
        try wall.settle()
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
        unlink(wall.folder)
        rmdir(wall.folder)
        rename(aside, wall.folder)
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: link 1, link 2", "2026-11-20: link 0"])
        let changes = try Set(wall.history.dropFirst(2).map { String($0.prefix { $0 != " " }) })
        #expect(changes == (what == "another folder" ? ["vanished", "restored"] : []))
        #expect(try wall.history.count == (changes.isEmpty ? 2 : 6))
    }

    @Test("stay while another folder is mounted over theirs", .enabled(if: Disk.canBeMade))
    func mountedOver() async throws {
        let wall = try await wall()
        let other = wall.shelf.folder.appending("other")
        mkdir(other, 0o755)
        do {
            let mount = try BindMount(of: other, over: wall.folder)
            try wall.link("there", to: "2019-04-10")
            try wall.lookAndSettle()
            try wall.settle()
            #expect(
                try wall.favorites == [
                    "2019-04-10: there", "2026-09-13: (link 1), (link 2)", "2026-11-20: (link 0)",
                ])
            withExtendedLifetime(mount) {}
        }
        try wall.lookAndSettle()
        #expect(
            try wall.favorites == ["2019-04-10: (there)", "2026-09-13: link 1, link 2", "2026-11-20: link 0"])
    }

    @Test("stay when all links went while nobody looked, until that is confirmed")
    func massive() async throws {
        let wall = try await wall()
        for number in 0..<3 { try wall.remove("link \(number)") }
        try await wall.restart()
        try wall.lookAndSettle()
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: (link 1), (link 2)", "2026-11-20: (link 0)"])
        #expect(try wall.reconciler.forget([Wall.orion]) == [Wall.orion])
        #expect(try wall.days == ["2026-09-13"])
        #expect(try wall.reconciler.forget(nil) == [Wall.clouds])
        #expect(try wall.days == [])
        #expect(try wall.history.suffix(2) == ["forgotten 2026-11-20", "forgotten 2026-09-13"])
    }

    @Test("end when one of several links went while nobody looked")
    func oneAway() async throws {
        let wall = try await wall()
        try wall.remove("link 0")
        try await wall.restart()
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: link 1, link 2"])
    }

    @Test("stay when most of many went while nobody looked")
    func most() async throws {
        let wall = try await wall(links: 30)
        for number in 0..<20 { try wall.remove("link \(number)") }
        try await wall.restart()
        try wall.lookAndSettle()
        #expect(try wall.favorites.last == "2026-11-20: (link 0)")
    }

    @Test(
        "end when no more than half of them went while nobody looked, and stay when it was more",
        arguments: [(1, 2, true), (2, 4, true), (3, 4, false), (15, 30, true), (16, 30, false), (1, 1, false)])
    func half(gone: Int, of all: Int, ends: Bool) async throws {
        let wall = try await Wall()
        for number in 0..<all { try wall.link("link \(number)", to: number == 0 ? orion : clouds) }
        try wall.lookAndSettle()
        for number in 0..<gone { try wall.remove("link \(number)") }
        try await wall.restart()
        try wall.lookAndSettle()
        #expect(try wall.catalog.links(.vanished).count == (ends ? 0 : gone))
        #expect(try wall.days.contains("2026-11-20") == !ends)
        #expect(wall.reconciler.takeVanished() == (ends ? 0 : gone))
    }

    @Test("end with their album, but not with an album that is only unmounted", .enabled(if: Disk.canBeMade))
    func albums() async throws {
        let wall = try await wall()
        try wall.album("mounted")
        try wall.album("plain")
        let other = wall.shelf.folder.appending("other")
        mkdir(other, 0o755)
        do {
            let mount = try BindMount(of: other, over: "\(wall.folder)/mounted")
            try wall.link("mounted/a", to: "2019-04-10")
            try wall.link("plain/b", to: "2019-04-11")
            try wall.lookAndSettle()
            #expect(try wall.days.count == 4)
            withExtendedLifetime(mount) {}
        }
        unlink("\(wall.folder)/plain/b")
        rmdir("\(wall.folder)/plain")
        try wall.lookAndSettle()
        #expect(try wall.favorites.first == "2019-04-10: (mounted/a)")
        #expect(try wall.days == ["2019-04-10", "2026-09-13", "2026-11-20"])
    }

    @Test("are made again with their links, from what vanished and from the history")
    func restored() async throws {
        let wall = try await wall()
        try wall.album("album")
        rename("\(wall.folder)/link 0", "\(wall.folder)/album/mine")
        try wall.lookAndSettle()
        unlink("\(wall.folder)/album/mine")
        rmdir("\(wall.folder)/album")
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-09-13"])
        #expect(try wall.restore(.days([Wall.orion])) == ["album/mine"])
        try wall.lookAndSettle()
        #expect(try wall.favorites.last == "2026-11-20: album/mine")
        #expect(wall.target("album/mine") == "../../\(Wall.orionFile)")

        let aside = wall.shelf.folder.appending("aside")
        rename(wall.folder, aside)
        mkdir(wall.folder, 0o755)
        try wall.lookAndSettle()
        #expect(try wall.restore(.vanished).sorted() == ["album/mine", "link 1", "link 2"])
        #expect(try wall.favorites == ["2026-09-13: link 1, link 2", "2026-11-20: album/mine"])
    }

    @Test("stay when another folder with the same names is in their place")
    func sameNames() async throws {
        let wall = try await wall()
        rename(wall.folder, wall.shelf.folder.appending("aside"))
        mkdir(wall.folder, 0o755)
        try wall.link("link 0", to: "2019-04-10")
        try wall.link("link 1", to: "/etc/passwd")
        try wall.lookAndSettle()
        #expect(
            try wall.favorites == [
                "2019-04-10: link 0", "2026-09-13: (link 1), (link 2)", "2026-11-20: (link 0)",
            ])
    }

    @Test("stay when another folder is in the place of theirs, be their album in it the same")
    func sameAlbum() async throws {
        let wall = try await Wall()
        try wall.album("a")
        try wall.link("a/x", to: "../../\(Wall.cloudsFile)")
        try wall.link("y", to: "../\(Wall.orionFile)")
        try wall.lookAndSettle()
        let before = wall.shelf.folder.appending("before")
        rename(wall.folder, before)
        mkdir(wall.folder, 0o755)
        rename("\(before)/a", "\(wall.folder)/a")
        try wall.remove("a/x")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: (a/x)", "2026-11-20: (y)"])
    }

    @Test("stay when all links became files while nobody looked")
    func becameFiles() async throws {
        let wall = try await wall()
        try await wall.stop()
        for number in 0..<3 {
            try wall.remove("link \(number)")
            try save([1, 2], to: "\(wall.folder)/link \(number)")
        }
        try wall.open()
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
    }

    @Test("are left alone by what takes them away, where something else has their names")
    func otherThings() async throws {
        let wall = try await wall()
        try wall.remove("link 0")
        try save([1, 2, 3], to: "\(wall.folder)/link 0")
        #expect(try FavoritesEditor(root: wall.root, catalog: wall.catalog).remove(Wall.orion, found: []).isEmpty)
        #expect(try contents("\(wall.folder)/link 0") == [1, 2, 3])
    }

    @Test("are left alone by what takes them away, where a copy is the only one of a picture")
    func lastCopy() async throws {
        let wall = try await Wall(adopts: false)
        try await wall.shell("cp \"$ORION\" copy.jpg")
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-11-20"])
        try await wall.shell("printf X | dd of=\"$ORION\" conv=notrunc status=none")
        #expect(try FavoritesEditor(root: wall.root, catalog: wall.catalog).remove(Wall.orion, found: []).isEmpty)
        #expect(access("\(wall.folder)/copy.jpg", F_OK) == 0)
    }

    @Test("are added again by whoever asks for it")
    func addedAgain() async throws {
        let wall = try await wall()
        try wall.remove("link 0")
        try wall.look()
        let place = try FavoritesEditor(root: wall.root, catalog: wall.catalog).add(Wall.orion)
        #expect(place?.description == "2026-11-20 Orion Rising.jpg")
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
    }

    @Test("come back from favorites.json when the catalog is lost", arguments: [true, false])
    func recalled(folderIsLost: Bool) async throws {
        let wall = try await wall()
        try wall.remove("link 1")
        try wall.album("album")
        try wall.link("album/x", to: "2019-04-10")
        try wall.lookAndSettle()
        let before = try wall.catalog.favorites().map(\.added)
        try await wall.stop()
        if folderIsLost {
            rename(wall.folder, wall.shelf.folder.appending("aside"))
            mkdir(wall.folder, 0o755)
        }
        try await wall.forgetEverything()
        try wall.lookAndSettle()
        #expect(
            try wall.favorites
                == (folderIsLost
                    ? ["2019-04-10: (album/x)", "2026-09-13: (link 2)", "2026-11-20: (link 0)"]
                    : ["2019-04-10: album/x", "2026-09-13: link 2", "2026-11-20: link 0"]))
        #expect(try wall.catalog.favorites().map(\.added) == before)
    }

    @Test(
        "are remembered where nobody may write in the folder, and put in order when somebody may",
        .enabled(if: Disk.canBeMade))
    func readOnly() async throws {
        let wall = try await Wall()
        try wall.link("mine", to: "\(wall.root)/\(Wall.orionFile)")
        try save([UInt8](repeating: UInt8(Wall.clouds.number & 255), count: 2000), to: "\(wall.folder)/copy.jpg")
        do {
            let mount = try BindMount(of: wall.folder, over: wall.folder)
            try mount.makeReadOnly()
            try wall.lookAndSettle()
            #expect(try wall.favorites == ["2026-09-13: copy.jpg", "2026-11-20: mine"])
            #expect(wall.target("mine") == "\(wall.root)/\(Wall.orionFile)")
            withExtendedLifetime(mount) {}
        }
        try await wall.restart()
        try wall.lookAndSettle()
        #expect(wall.target("mine") == "../\(Wall.orionFile)")
        #expect(wall.target("copy.jpg") == "../\(Wall.cloudsFile)")
    }

    @Test("is told once in the history, however many links it had")
    func toldOnce() async throws {
        let wall = try await Wall()
        for name in ["a", "b"] { try wall.link(name, to: "../\(Wall.orionFile)") }
        try wall.lookAndSettle()
        try wall.remove("a")
        try wall.lookAndSettle()
        rename(wall.folder, wall.shelf.folder.appending("aside"))
        mkdir(wall.folder, 0o755)
        try wall.look()
        try wall.settle()
        let history = try wall.history
        #expect(history == ["added \(Wall.orion)", "vanished \(Wall.orion)"], "\(history)")
    }
}
