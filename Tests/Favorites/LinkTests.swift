import Apod
import Catalog
import Files
import Glibc
import TestSupport
import Testing
import Watching

@testable import Favorites

@Suite("A link in the favorites folder")
struct LinkTests {
    @Test(
        "counts by where it leads, and is made relative",
        arguments: [
            "../2026/11/2026-11-20 Orion Rising.jpg", "ROOT/2026/11/2026-11-20 Orion Rising.jpg",
            "../favorites/../2026/../2026/11/2026-11-20 Orion Rising.jpg",
            "../2026/11/../11/2026-11-20 Orion Rising.jpg",
            "ROOT/./2026//11/2026-11-20 Orion Rising.jpg", "../latest", "2026-11-20",
            "/mnt/nas/apod/2026/11/2026-11-20 Orion Rising.jpg", "/somewhere/2026/11/2026-11-20 Orion Rising.png",
            "../../elsewhere/2026/11/2026-11-20 Orion Rising.jpg", "2026/11/2026-11-20 Orion Rising.jpg",
            // As the kernel reads them.
            "..//2026/11/2026-11-20 Orion Rising.jpg", "/mnt/nas/apod/2026/11//2026-11-20 Orion Rising.jpg",
            "//mnt//nas/2026///11/2026-11-20 Orion Rising.png", "/mnt/nas/2026/./11/./2026-11-20 Orion Rising.png",
        ])
    func leads(target: String) async throws {
        let wall = try await Wall()
        try wall.link("mine.jpg", to: target.replacing("ROOT", with: wall.root))
        try wall.look(at: "mine.jpg")
        #expect(try wall.favorites == ["2026-11-20: mine.jpg"])
        try wall.settle()
        #expect(wall.target("mine.jpg") == "../\(Wall.orionFile)")
        #expect(try wall.favorites == ["2026-11-20: mine.jpg"])
    }

    @Test(
        "to what would be a folder, or to another place, is left alone",
        arguments: [
            "/mnt/nas/2026/11/2026-11-20 X.png/", "/mnt/nas/2026/11/2026-11-20 X.png/.", "2026-11-20/",
            "/mnt/nas/2026/11./2026-11-20 X.png", "/mnt/nas/2026/11/x/2026-11-20 X.png",
            "/mnt/nas/2026/.../11/2026-11-20 X.png", ".//2026-11-20", "/mnt/nas/12026//11/2026-11-20 X.png",
        ])
    func leadsElsewhere(target: String) async throws {
        let wall = try await Wall()
        try wall.link("mine", to: target)
        try wall.lookAndSettle()
        #expect(try wall.favorites == [] && wall.unrecognised.count == 1)
        #expect(wall.target("mine") == target)
    }

    @Test("to the JSON counts too, and still leads to the JSON")
    func json() async throws {
        let wall = try await Wall()
        let json = Wall.orionFile.replacing(".jpg", with: ".json")
        try wall.link("words", to: "\(wall.root)/\(json)")
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-11-20"])
        #expect(wall.target("words") == "../\(json)")
    }

    @Test("to another link counts for what that leads to")
    func chain() async throws {
        let wall = try await Wall()
        try wall.link("a", to: "../\(Wall.orionFile)")
        try wall.link("b", to: "a")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: a, b"])
        #expect(wall.target("b") == "../\(Wall.orionFile)")
        try wall.remove("a")
        try wall.lookAndSettle(at: "a")
        #expect(try wall.favorites == ["2026-11-20: b"])
    }

    @Test("counts through a folder that is a link itself")
    func symlinkedParent() async throws {
        let wall = try await Wall()
        let aside = wall.shelf.folder.appending("elsewhere")
        symlink(wall.root, aside)
        try wall.link("mine", to: "\(aside)/\(Wall.orionFile)")
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-11-20"])
        #expect(wall.target("mine") == "../\(Wall.orionFile)")
    }

    @Test("counts through another mount of the mirror", .enabled(if: Disk.canBeMade))
    func bindMount() async throws {
        let wall = try await Wall()
        let aside = try BindMount(of: wall.root)
        try wall.link("mine", to: "\(aside.path)/\(Wall.orionFile)")
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-11-20"])
        #expect(wall.target("mine") == "../\(Wall.orionFile)")
    }

    @Test("in an album climbs as far as it must")
    func album() async throws {
        let wall = try await Wall()
        try wall.album("a")
        try wall.album("a/b")
        try wall.link("a/b/mine", to: "\(wall.root)/\(Wall.orionFile)")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: a/b/mine"])
        #expect(wall.target("a/b/mine") == "../../../\(Wall.orionFile)")
        #expect(access("\(wall.folder)/a/b/mine", R_OK) == 0)
    }

    @Test(
        "for a day that is not here is a request, and stays as it is",
        arguments: [
            "2019-04-10", "../2019/04/2019-04-10 First Horizon.jpg", "/mnt/nas/2019/04/2019-04-10 First Horizon.jpg",
            "2094-12-31",
        ])
    func request(target: String) async throws {
        let wall = try await Wall()
        try wall.link("wish", to: target)
        try wall.lookAndSettle()
        let day = target.hasPrefix("2094") ? "2094-12-31" : "2019-04-10"
        #expect(try wall.favorites == ["\(day): wish"])
        #expect(try wall.catalog.dueFavorites(at: Day(day)!.noon).map(\.description) == [day])
        #expect(wall.target("wish") == target)
    }

    @Test(
        "for a day whose picture is still to come stays as it is until then",
        arguments: [
            "2019-04-10", "/mnt/nas/2019/04/2019-04-10 First Horizon.jpg", "../2019/04/2019-04-10 Another Title.png",
        ], [DayStatus.State.failed, .placeholder])
    func pictureIsLate(target: String, state: DayStatus.State) async throws {
        let wall = try await Wall()
        let day = Day("2019-04-10")!
        try wall.link("wish", to: target)
        try wall.lookAndSettle()
        try await wall.come(day, [], state)
        #expect(wall.target("wish") == target)
        try await wall.come(day, [(.picture, .jpeg)])
        #expect(wall.target("wish") == "../2019/04/2019-04-10 First Horizon.jpg")
        #expect(try wall.favorites == ["2019-04-10: wish"])
    }

    @Test("for a day whose video is still to come waits for it, but one that leads to the poster is put in order")
    func videoIsLate() async throws {
        let wall = try await Wall()
        let day = Day("2026-11-21")!
        try wall.link("wish", to: "\(day)")
        try await wall.come(day, [(.poster, .jpeg)], .failed)
        try wall.link("newest", to: "../latest")
        try wall.lookAndSettle()
        #expect(wall.target("wish") == "\(day)")
        #expect(wall.target("newest") == "../2026/11/2026-11-21 First Horizon.jpg")
        try await wall.come(day, [(.video, .mp4), (.poster, .jpeg)])
        #expect(wall.target("wish") == "../2026/11/2026-11-21 First Horizon.mp4")
        #expect(wall.target("newest") == "../2026/11/2026-11-21 First Horizon.jpg")
    }

    @Test("to the JSON of a day that has nothing else is made relative, and still leads there when the picture comes")
    func onlyJSON() async throws {
        let wall = try await Wall()
        let day = Day("2019-04-10")!
        try await wall.come(day, [], .placeholder)
        let json = "2019/04/2019-04-10 First Horizon.json"
        try wall.link("words", to: "/mnt/nas/\(json)")
        try wall.lookAndSettle()
        #expect(wall.target("words") == "../\(json)")
        try await wall.come(day, [(.picture, .jpeg)])
        #expect(wall.target("words") == "../\(json)")
    }

    @Test("named like the date that it leads to leads to itself, and is a request")
    func selfNamed() async throws {
        let wall = try await Wall()
        try wall.link("2019-04-10", to: "2019-04-10")
        try wall.lookAndSettle()
        #expect(try wall.days == ["2019-04-10"])
    }

    @Test("for a day that has come since is put in order")
    func fulfilled() async throws {
        let wall = try await Wall()
        let day = Day("2019-04-10")!
        try wall.link("wish", to: "2019-04-10")
        try wall.lookAndSettle()
        try await wall.shelf.add(day, "First Horizon")
        #expect(!wall.reconciler.noteNewDays([Day("2019-04-11")!]))
        #expect(wall.reconciler.noteNewDays([Day("2019-04-11")!, day]))
        try wall.settle()
        #expect(wall.target("wish") == "../2019/04/2019-04-10 First Horizon.jpg")
        #expect(try wall.catalog.dueFavorites(at: day.noon).isEmpty)
    }

    @Test(
        "to a picture that is another file now leads to that one, and the list says so at once",
        arguments: [
            "2019-04-10", "../2019/04/2019-04-10 First Horizon.jpg", "/mnt/nas/2019/04/2019-04-10 First Horizon.png",
        ])
    func replaced(target: String) async throws {
        let wall = try await Wall()
        let day = Day("2019-04-10")!
        let stem = "2019-04-10 First Horizon"
        try await wall.come(day, [(.picture, .jpeg)])
        try wall.link("mine", to: target)
        try wall.link("facts", to: "../2019/04/\(stem).json")
        try wall.lookAndSettle()
        #expect(try listedFiles(wall.root) == ["facts: \(stem).json", "mine: \(stem).jpg"])
        try await wall.come(day, [(.picture, .gif)])
        #expect(wall.target("mine") == "../2019/04/\(stem).gif")
        #expect(try listedFiles(wall.root) == ["facts: \(stem).json", "mine: \(stem).gif"])
    }

    @Test(
        "that leads to nothing of the mirror's is a stranger, and is left alone",
        arguments: [
            "self", "../2026", "..", "/etc/passwd", "../../outside.jpg", "/nowhere/at/all", "../2026/11/no-day.jpg",
            "2019-02-30", "/tmp/2019-04-10", "../2019/05/2019-04-10 Wrong Month.jpg", "1995-06-01", "2026-11-20x",
            "/dev/null", "../.apod-mirror/catalog.sqlite", "notes2026/11/2026-11-20", "../photos/2019-04-10",
            "/2019-04-10", "/mnt/nas/favorites.old/2019-04-10", "2026-11-20 Orion Rising.jpg",
            "/mnt/nas/2026/11/2026-11-20 Another Title.jpg", "../2026/11/2026-11-20 Another Title.jpg",
            "/mnt/nas/2026/11/2026-11-20.jpg", "/mnt/nas/gallery/2026/2026-11-20-480.webp",
            String(repeating: "x", count: 300),
        ])
    func unrecognised(target: String) async throws {
        let wall = try await Wall()
        try save([1, 2, 3], to: wall.shelf.folder.appending("outside.jpg"))
        try wall.link("self", to: target)
        try wall.lookAndSettle()
        #expect(try wall.days == [])
        #expect(try wall.unrecognised == ["self"])
        #expect(wall.target("self") == target)
    }

    @Test("may have any name that the disk allows")
    func names() async throws {
        let wall = try await Wall()
        let names: [[UInt8]] = [
            Array("two\nlines".utf8), [1, 2, 0x7f], [0xff, 0xfe, 0x41], Array(repeating: 0x41, count: 255),
            Array("Orion".utf8), Array("orion".utf8), Array("caf\u{e9}".utf8), Array("cafe\u{301}".utf8),
            [0xe2, 0x80, 0xae],
            Array("-rf".utf8), Array(" ".utf8),
        ]
        for name in names {
            #expect(
                symlink(
                    "\(wall.root)/\(Wall.orionFile)",
                    (Array(wall.folder.utf8) + [0x2f] + name + [0]).map(CChar.init(bitPattern:))) == 0)
        }
        try wall.lookAndSettle()
        let links = try #require(try wall.catalog.favorites().first).links
        #expect(Set(links.map { Array($0.name.bytes) }) == Set(names))
        for name in names {
            var target = [CChar](repeating: 0, count: 4096)
            let path = (Array(wall.folder.utf8) + [0x2f] + name + [0]).map(CChar.init(bitPattern:))
            let count = readlink(path, &target, target.count)
            #expect(
                String(decoding: target.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
                    == "../\(Wall.orionFile)")
        }
        try wall.reconciler.note(.everywhere)
        #expect(try wall.catalog.favorites().first?.links.count == names.count)
    }
}

extension Wall {
    /// A day comes, with these files, and the folder is put in order.
    func come(
        _ day: Day, _ files: [(StoredFile.Role, MediaType)], _ state: DayStatus.State = .mirrored
    ) async throws {
        try await shelf.add(day, "First Horizon", "Some text.", files, state: state)
        _ = reconciler.noteNewDays([day])
        try settle()
    }
}
