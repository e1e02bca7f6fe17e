import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

struct LinkTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    @Test(
        "A link in the favorites folder counts by where it leads, and is made relative",
        arguments: [
            "../2026/11/2026-11-20 Orion Rising.jpg", "ROOT/2026/11/2026-11-20 Orion Rising.jpg",
            "../favorites/../2026/../2026/11/2026-11-20 Orion Rising.jpg",
            "ROOT/./2026//11/2026-11-20 Orion Rising.jpg", "../latest", "2026-11-20",
            "/mnt/nas/apod/2026/11/2026-11-20 Orion Rising.jpg", "2026/11/2026-11-20 Orion Rising.jpg",
            // As the kernel reads it.
            "//mnt//nas/2026///11/./2026-11-20 Orion Rising.png",
        ])
    func leads(target: String) async throws {
        try fixture.link("mine.jpg", to: target.replacing("ROOT", with: fixture.root))
        try fixture.look(at: "mine.jpg")
        #expect(try fixture.favorites == ["2026-11-20: mine.jpg"])
        try fixture.settle()
        #expect(fixture.target("mine.jpg") == FavoritesFixture.orionLink)
        #expect(try fixture.favorites == ["2026-11-20: mine.jpg"])
    }

    @Test("A link in the favorites folder to another link counts for what that leads to")
    func chain() async throws {
        try fixture.link("a", to: FavoritesFixture.orionLink)
        try fixture.link("b", to: "a")
        try fixture.lookAndSettle(to: ["2026-11-20: a, b"])
        #expect(fixture.target("b") == FavoritesFixture.orionLink)
        try fixture.remove("a")
        try fixture.lookAndSettle(at: "a")
        #expect(try fixture.favorites == ["2026-11-20: b"])
    }

    @Test(
        "A link in the favorites folder counts through another mount of the mirror",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func bindMount() async throws {
        let aside = try BindMount(of: fixture.root)
        try fixture.link("mine", to: "\(aside.path)/\(FavoritesFixture.orionFile)")
        try fixture.lookAndSettle()
        #expect(try fixture.days == ["2026-11-20"])
        #expect(fixture.target("mine") == FavoritesFixture.orionLink)
    }

    @Test(
        "A link in the favorites folder for a day that is not here is a request, and stays as it is",
        arguments: [
            "2019-04-10", "../2019/04/2019-04-10 First Horizon.jpg", "/mnt/nas/2019/04/2019-04-10 First Horizon.jpg",
        ])
    func request(target: String) async throws {
        try fixture.link("wish", to: target)
        try fixture.lookAndSettle()
        let day = "2019-04-10"
        #expect(try fixture.favorites == ["\(day): wish"])
        #expect(try fixture.catalog.due(among: fixture.log.known.days, at: Day(day)!.noon).map(\.description) == [day])
        #expect(fixture.target("wish") == target)
    }

    @Test(
        "A link in the favorites folder for a day after tomorrow is left alone and says why, until that day is tomorrow in New York",
        arguments: ["2027-01-17", "/mnt/nas/2027/01/2027-01-17 First Horizon.jpg"])
    func toCome(target: String) async throws {
        // 03:00 in New York, 2027-01-15.
        let clock = TestClock()
        let fixture = try await FavoritesFixture(clock: clock)
        try fixture.link("wish", to: target)
        try fixture.link("tomorrow", to: "2027-01-16")
        // At 23:59:59 there, it is long past midnight in UTC.
        for seconds in [0, 21 * 3600 - 1] {
            clock.step(by: seconds)
            try fixture.lookAndSettle()
            #expect(try fixture.favorites == ["2027-01-16: tomorrow"] && fixture.target("wish") == target)
            #expect(try fixture.catalog.leftAlone().first.map(\.why) == [.toCome])
        }
        clock.step(by: 1)
        try fixture.lookAndSettle(to: ["2027-01-16: tomorrow", "2027-01-17: wish"])
        #expect(try fixture.unrecognised.isEmpty)
        // A clock that is behind ends no wish for the day after the newest one that is here.
        try fixture.link("next", to: "2026-11-21")
        clock.step(by: -1_700_000_000)
        try fixture.lookAndSettle()
        #expect(try fixture.favorites.contains("2026-11-21: next"))
    }

    @Test(
        "A link in the favorites folder for a day whose picture is still to come stays as it is until then",
        arguments: [
            "2019-04-10", "/mnt/nas/2019/04/2019-04-10 First Horizon.jpg", "../2019/04/2019-04-10 Another Title.png",
        ], [DayStatus.State.failed, .placeholder])
    func pictureIsLate(target: String, state: DayStatus.State) async throws {
        let day = Day("2019-04-10")!
        try fixture.link("wish", to: target)
        try fixture.lookAndSettle()
        #expect(!fixture.keeper.noteNewDays([day.advanced(by: 1)]))
        try await fixture.come(day, [], state)
        #expect(fixture.target("wish") == target)
        try await fixture.come(day, [(.picture, .jpeg)])
        #expect(fixture.target("wish") == "../2019/04/2019-04-10 First Horizon.jpg")
        #expect(
            try fixture.favorites == ["2019-04-10: wish"]
                && fixture.catalog.due(among: fixture.log.known.days, at: day.noon).isEmpty)
    }

    @Test(
        "A link in the favorites folder for a day whose video is still to come waits for it, but one that leads to the poster is put in order"
    )
    func videoIsLate() async throws {
        let day = november(21)
        try fixture.link("wish", to: "\(day)")
        try await fixture.come(day, [(.poster, .jpeg)], .failed)
        try fixture.link("newest", to: "../latest")
        try fixture.lookAndSettle()
        #expect(fixture.target("wish") == "\(day)")
        #expect(fixture.target("newest") == "../2026/11/2026-11-21 First Horizon.jpg")
        try await fixture.come(day, [(.video, .mp4), (.poster, .jpeg)])
        #expect(fixture.target("wish") == "../2026/11/2026-11-21 First Horizon.mp4")
        #expect(fixture.target("newest") == "../2026/11/2026-11-21 First Horizon.jpg")
    }

    @Test(
        "A link in the favorites folder to the JSON of a day that has nothing else is made relative, and still leads there when the picture comes"
    )
    func onlyJSON() async throws {
        let day = Day("2019-04-10")!
        try await fixture.come(day, [], .placeholder)
        let json = "2019/04/2019-04-10 First Horizon.json"
        try fixture.link("words", to: "/mnt/nas/\(json)")
        try fixture.lookAndSettle()
        #expect(fixture.target("words") == "../\(json)")
        try await fixture.come(day, [(.picture, .jpeg)])
        #expect(fixture.target("words") == "../\(json)")
    }

    @Test(
        "A link in the favorites folder to a picture that is another file now leads to that one, and the list says so at once",
        arguments: [
            "2019-04-10", "../2019/04/2019-04-10 First Horizon.jpg", "/mnt/nas/2019/04/2019-04-10 First Horizon.png",
        ])
    func replaced(target: String) async throws {
        let day = Day("2019-04-10")!
        let stem = "2019-04-10 First Horizon"
        try await fixture.come(day, [(.picture, .jpeg)])
        try fixture.link("mine", to: target)
        try fixture.link("facts", to: "../2019/04/\(stem).json")
        try fixture.lookAndSettle()
        #expect(try listedFiles(fixture.root) == ["facts: \(stem).json", "mine: \(stem).jpg"])
        try await fixture.come(day, [(.picture, .gif)])
        #expect(fixture.target("mine") == "../2019/04/\(stem).gif")
        #expect(try listedFiles(fixture.root) == ["facts: \(stem).json", "mine: \(stem).gif"])
    }

    @Test(
        "A link in the favorites folder that leads to nothing of the mirror's is a stranger, and is left alone",
        arguments: [
            "self", "../2026", "../../outside.jpg", "/dev/null", "../.apod-mirror/catalog.sqlite",
            "2026-11-20 Orion Rising.jpg", "../2026/11/2026-11-20 Another Title.jpg",
            "/mnt/nas/gallery/2026/2026-11-20-480.webp", "/mnt/nas/2026/11/x/2026-11-20 X.png",
            String(repeating: "x", count: 300),
        ])
    func unrecognised(target: String) async throws {
        try save([1, 2, 3], to: fixture.mirror.folder.appending("outside.jpg"))
        try fixture.link("self", to: target)
        try fixture.lookAndSettle()
        #expect(try fixture.days == [])
        #expect(try fixture.unrecognised == ["self"])
        #expect(fixture.target("self") == target)
    }

    @Test("A link in the favorites folder may have any name that the disk allows")
    func names() async throws {
        let bytes: [[UInt8]] = [
            Array("two\nlines".utf8), [1, 2, 0x7f], [0xff, 0xfe, 0x41], Array(repeating: 0x41, count: 255),
            Array("Orion".utf8), Array("orion".utf8), Array("caf\u{e9}".utf8), Array("cafe\u{301}".utf8),
            [0xe2, 0x80, 0xae], Array("-rf".utf8), Array(" ".utf8),
        ]
        let names = bytes.map { Name($0)! }
        let folder = try Folder.open(fixture.folder)
        for name in names { try folder.makeLink(name, to: fixture.orionPath) }
        for _ in 1...2 {
            try fixture.lookAndSettle()
            #expect(try Set(fixture.log.favorites.flatMap(\.links).map(\.name)) == Set(names))
        }
        for name in names { #expect(folder.target(of: name) == FavoritesFixture.orionLink) }
    }
}

extension FavoritesFixture {
    /// A day comes, with these files, and the folder is put in order.
    func come(
        _ day: Day, _ files: [(StoredFile.Role, MediaType)], _ state: DayStatus.State = .mirrored
    ) async throws {
        try await mirror.add(day, "First Horizon", "Some text.", files, state: state)
        _ = keeper.noteNewDays([day])
        try settle()
    }
}
