import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

/// Nothing but what is on a disk that does not answer is held up by that.
@Suite(
    "In the favorites, a disk that does not answer", .serialized, .timeLimit(.minutes(2)),
    .enabled(if: SilentMount.canBeMade))
struct AwayTests {
    private let ordered = "../\(Wall.orionFile)"
    private let orion = "2026-11-20"
    private let clouds = "2026-09-13"

    private func line(_ path: String) -> String {
        """
        cannot open \(path): the disk does not answer; its favorites stay, and it is read again when the disk is back; \
        if the disk is gone for good, unmount it: `sudo umount --lazy '\(path)'`
        """
    }

    private func away(_ wall: Wall) throws -> String? { try wall.catalog.remark(.away) }

    /// The longest that it may take: asking once, and what else there is to do.
    private func soon(_ work: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        try work()
        #expect(.now - start < .seconds(10))
    }

    @Test("leaves its favorites what they are, also if they are all; is named; and is read when it answers again")
    func onlyAlbum() async throws {
        let wall = try await Wall()
        let nas = "\(wall.folder)/nas"
        let mount = try SilentMount(over: nas)
        let links = [(name: "orion", target: "../\(ordered)")]
        try mount.answer(with: links)
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["\(orion): nas/orion"])
        #expect(try away(wall) == nil)
        mount.fallSilent()
        for _ in 0..<2 {
            try soon { try wall.lookAndSettle() }
            #expect(try wall.favorites == ["\(orion): nas/orion"])
            #expect(try away(wall) == line(nas))
            try await wall.restart()
        }
        try soon { try wall.lookAndSettle(at: "nas/orion", "nas/other") }
        #expect(try wall.favorites == ["\(orion): nas/orion"])
        try mount.answer(with: links + [("clouds", "../../\(Wall.cloudsFile)")])
        // Those who have asked get their answers.
        while (try? Folder.open(wall.folder).folder("nas")) == nil { try await Task.sleep(for: .milliseconds(1)) }
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["\(clouds): nas/clouds", "\(orion): nas/orion"])
        #expect(try away(wall) == nil)
        // What goes while it answers goes.
        try mount.answer(with: [("clouds", "../../\(Wall.cloudsFile)")])
        try wall.lookAndSettle()
        try wall.settle()
        #expect(try wall.favorites == ["\(clouds): nas/clouds"])
    }

    @Test("or does not tell in its lists what is a link and what an album, has its favorites noted like any other")
    func kinds() async throws {
        let wall = try await Wall()
        let mount = try SilentMount(over: "\(wall.folder)/nas")
        let links = [(name: "orion", target: "../\(ordered)"), ("empty", ""), ("clouds", "../../\(Wall.cloudsFile)")]
        try mount.answer(with: links, tellingKinds: false)
        var kinds: [File.Kind?] = []
        try Folder.open("\(wall.folder)/nas").visit { kinds.append($1) }
        #expect(kinds == [nil, nil, nil])
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["\(clouds): nas/clouds", "\(orion): nas/orion"])
        #expect(try wall.unrecognised == [])
        try mount.answer(with: Array(links.dropFirst()), tellingKinds: false)
        try wall.lookAndSettle()
        try wall.settle()
        #expect(try wall.favorites == ["\(clouds): nas/clouds"])
        mount.hide()
    }

    @Test("holds up no other album, neither what comes there nor what goes", arguments: ["nas", "a/nas"])
    func others(place: String) async throws {
        let wall = try await Wall()
        for album in ["a", "b"] { try wall.album(album) }
        for (name, target) in [("x", orion), ("b/x", orion), ("b/y", "2019-04-10")] { try wall.link(name, to: target) }
        try wall.lookAndSettle()
        let mount = try SilentMount(over: "\(wall.folder)/\(place)")
        try wall.remove("b/y")
        try wall.link("a/clouds", to: "\(wall.root)/\(Wall.cloudsFile)")
        try soon { try wall.lookAndSettle() }
        try wall.settle()
        #expect(try wall.favorites == ["\(clouds): a/clouds", "\(orion): x, b/x"])
        #expect(wall.target("a/clouds") == "../../\(Wall.cloudsFile)")
        #expect(try away(wall) == line("\(wall.folder)/\(place)"))
        // Nobody waits for it any more.
        mount.hide()
        try wall.lookAndSettle()
        #expect(try away(wall) == nil)
    }

    @Test("that all favorites are on is their loss, and costs none")
    func top() async throws {
        let wall = try await Wall()
        try wall.link("x", to: orion)
        try wall.lookAndSettle()
        let mount = try SilentMount(over: wall.folder)
        try soon { try wall.lookAndSettle() }
        #expect(try wall.favorites == ["\(orion): x"])
        #expect(try away(wall) == line(wall.folder))
        try soon {
            let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
            #expect(editor.lack == nil && !editor.hasVanished(Wall.orion))
            #expect(throws: StorageError.self) { try editor.add(Wall.clouds) }
        }
        mount.hide()
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["\(orion): x"])
        #expect(try away(wall) == nil)
    }

    @Test("that a month is on keeps no link from being noted, and none is changed")
    func month() async throws {
        let wall = try await Wall()
        let mount = try SilentMount(over: "\(wall.root)/2026/11")
        let absolute = "\(wall.root)/\(Wall.orionFile)"
        for (name, target) in [
            ("own", ordered), ("absolute", absolute), ("elsewhere", "/nas/\(Wall.orionFile)"),
            ("clouds", "\(wall.root)/\(Wall.cloudsFile)"),
        ] { try wall.link(name, to: target) }
        try soon { try wall.lookAndSettle() }
        #expect(try wall.favorites == ["\(clouds): clouds", "\(orion): own"])
        #expect(wall.target("clouds") == "../\(Wall.cloudsFile)")
        #expect(wall.target("own") == ordered && wall.target("absolute") == absolute)
        mount.hide()
    }

    @Test("is no reason to make its links again, or to say that they are gone; others are")
    func orders() async throws {
        let wall = try await Wall()
        let nas = "\(wall.folder)/nas"
        let other = "\(wall.folder)/other"
        let mount = try SilentMount(over: nas)
        let second = try SilentMount(over: other)
        for mount in [mount, second] { try mount.answer(with: [("orion", "../\(ordered)")]) }
        for (name, file) in [("orion", Wall.orionFile), ("clouds", Wall.cloudsFile)] {
            try wall.link(name, to: "../\(file)")
        }
        try wall.lookAndSettle()
        for mount in [mount, second] { mount.fallSilent() }
        try wall.remove("clouds")
        #expect(try wall.restore(.vanished) == ["clouds"])
        let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
        #expect(editor.absences(of: Wall.clouds) == [])
        #expect(editor.absences(of: Wall.orion).map(\.path).sorted() == [nas, other])
        #expect(!editor.hasVanished(Wall.orion))
        #expect(try editor.remove(Wall.orion, found: []).map(\.description) == ["orion"])
        #expect(try editor.add(Wall.orion) == nil)
        for mount in [mount, second] { mount.hide() }
    }

    @Test("ends no favorite whose link went and came back, but leads there now")
    func cameBack() async throws {
        let wall = try await Wall()
        try wall.link("x", to: ordered)
        try wall.lookAndSettle()
        let mount = try SilentMount(over: wall.shelf.folder.appending("nas"))
        try wall.remove("x")
        try wall.look(at: "x")
        try wall.link("x", to: "\(mount.path)/\(Wall.orionFile)")
        try soon { try wall.settle() }
        #expect(try wall.favorites == ["\(orion): x"])
        mount.hide()
    }

    @Test("is to be unmounted where it is mounted, and otherwise to be checked", arguments: ["fa vor", "favorites/a"])
    func advice(place: String) throws {
        let home = try TemporaryFolder()
        for path in ["root", "root/favorites", "root/fa vor", "root/favorites/a", "root/favorites/ab"] {
            mkdir(home.appending(path), 0o755)
        }
        symlink("root", home.appending("link"))
        let root = try Folder.open(home.appending("link"))
        func remark(_ path: String, code: Int32 = EIO) -> String? {
            AwayFolders([StorageError("open", "\(root.path)/\(path)", code: code)]).remark(in: root)
        }
        let check = "if that lasts, check the disk: `sudo dmesg` says what is wrong with it"
        #expect(remark(place)?.hasSuffix("is read again when the disk is back; \(check)") == true)
        let mount = try SilentMount(over: home.appending("root/\(place)"))
        let advice = "unmount it: `sudo umount --lazy '\(root.path)/\(place)'`"
        for path in [place, "\(place)/b/c"] { #expect(remark(path)?.hasSuffix(advice) == true) }
        for path in ["\(place)b", "favorites"] { #expect(remark(path)?.hasSuffix(check) == true) }
        #expect(remark(place, code: EACCES) == nil)
        mount.hide()
        #expect(remark(place)?.hasSuffix(check) == true)
    }

    @Test("is left out by who looks without noting anything")
    func glance() async throws {
        let wall = try await Wall()
        let mount = try SilentMount(over: "\(wall.folder)/nas")
        try wall.link("x", to: ordered)
        let favorites = CurrentFavorites(at: try Folder.open(wall.root), try wall.catalog)
        soon { #expect(favorites.days == [Wall.orion]) }
        soon { #expect(favorites.mayContain(Wall.orion)) }
        mount.hide()
    }
}
