import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Favorites

struct LinkTests {
    private let fixture: FavoritesFixture
    private let day = Day("2019-04-10")!

    init() async throws { fixture = try await FavoritesFixture() }

    /// What is made of pictures: `latest.jpg` leads to a copy that is a JPEG.
    private func makeCopies() async throws {
        let copy = ".apod-mirror/latest/2026-11-20-\(String(repeating: "0a", count: 32)).jpg"
        try await fixture.shell(
            """
            cd $ROOT; mkdir -p gallery/2026 .apod-mirror/latest; echo x >\(copy); ln -sf \(copy) latest.jpg
            for file in 20-480.webp 18-2-1280.jpg; do printf abc >gallery/2026/2026-11-$file; done
            """)
    }

    @Test(
        "A link counts by where it leads, and is made relative",
        arguments: [
            "../2026/11/2026-11-20 Orion Rising.jpg", "ROOT/2026/11/2026-11-20 Orion Rising.jpg",
            "../favorites/../2026/../2026/11/2026-11-20 Orion Rising.jpg", "../latest", "../latest.jpg", "2026-11-20",
            "ORION", "//mnt//nas/2026///11/./2026-11-20 Orion Rising.png", "ROOT//gallery/.//2026/2026-11-20-480.webp",
        ], ["", "a/"])
    func leads(target: String, album: String) async throws {
        try await makeCopies()
        try fixture.album("a")
        try fixture.link("ORION", to: FavoritesFixture.orionLink)
        let up = album.isEmpty || !(target.hasPrefix("../") || target == "ORION") ? "" : "../"
        let (name, text) = ("\(album)mine.jpg", up + target.replacing("ROOT", with: fixture.root))
        try fixture.link(name, to: text)
        try fixture.look(at: name)
        #expect(try fixture.favorites == ["2026-11-20: \(name)"])
        try fixture.settle()
        let own = (album.isEmpty ? "" : "../") + FavoritesFixture.orionLink
        #expect(fixture.target(name) == own)
        // The history has what it said.
        let line = try FavoritesLog.lines(in: Folder.open(fixture.root)).first
        #expect(line?.was == (text == own ? nil : text))
    }

    @Test(
        "A link to a day after tomorrow is left alone, until that day is tomorrow in New York",
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
            try fixture.lookAndSettle(to: ["2027-01-16: tomorrow"])
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
        "A link to a day that is not here is a wish, and waits for its picture",
        arguments: [
            "2019-04-10", "/mnt/nas/2019/04/2019-04-10 First Horizon.jpg", "../2019/04/2019-04-10 Another Title.png",
        ], [Item.State.failed, .placeholder])
    func wish(target: String, state: Item.State) async throws {
        try fixture.link("wish", to: target)
        try fixture.lookAndSettle(to: ["2019-04-10: wish"])
        #expect(!fixture.keeper.noteNew([.day(day.advanced(by: 1))]))
        func due() throws -> Set<Day> { try fixture.catalog.due(among: fixture.log.known.days, at: day.noon) }
        #expect(try due() == [day])
        try await come([], state)
        #expect(fixture.target("wish") == target)
        try await come([(.picture, .jpeg)])
        #expect(fixture.target("wish") == "../2019/04/2019-04-10 First Horizon.jpg")
        #expect(try fixture.favorites == ["2019-04-10: wish"] && due().isEmpty)
    }

    @Test(
        "A link to a picture that is another file now leads to that one, and the list says so at once",
        arguments: [
            "2019-04-10", "../2019/04/2019-04-10 First Horizon.jpg", "/mnt/nas/2019/04/2019-04-10 First Horizon.png",
        ])
    func replaced(target: String) async throws {
        let stem = "2019-04-10 First Horizon"
        try await come([(.picture, .jpeg)])
        try fixture.link("mine", to: target)
        try fixture.link("facts", to: "../2019/04/\(stem).json")
        try fixture.lookAndSettle()
        for type in [MediaType.jpeg, .gif] {
            if type == .gif { try await come([(.picture, .gif)]) }
            #expect(fixture.target("mine") == "../2019/04/\(stem).\(type.suffix)")
            let favorite = try JSONText(contents(fixture.mirror["favorites.json"])).elements?.first
            #expect(favorite?["picture"]?.string == "2019/04/\(stem).\(type.suffix)")
            #expect(favorite?["files"]?["facts"]?.string == "\(stem).json")
        }
    }

    @Test(
        "A link to nothing of the mirror's is left alone",
        arguments: [
            "x", "../2026", "../../outside.jpg", "/dev/null", "../.apod-mirror/catalog.sqlite",
            "2026-11-20 Orion Rising.jpg", "../2026/11/2026-11-20 Another Title.jpg",
            "/mnt/nas/gallery/2026/2026-11-20-480.webp", "/mnt/nas/2026/11/x/2026-11-20 X.png",
            String(repeating: "x", count: 300), "../gallery/2026/2026-11-20-480.jpg",
            "../2026/11/.sh_thumbnails/large/2b6b0a5dd90a9a50c95d331a4a0e647b.png",
            "/mnt/nas/2026/11/2026-11-20 Others (2).jpg",
        ])
    func unrecognised(target: String) async throws {
        try save([1, 2, 3], to: fixture.mirror.folder.appending("outside.jpg"))
        try fixture.link("x", to: target)
        try fixture.lookAndSettle(to: [])
        #expect(try fixture.unrecognised == ["x"] && fixture.target("x") == target)
    }

    @Test("A link may have any name that the disk allows")
    func names() async throws {
        let bytes: [[UInt8]] = [
            "two\nlines".bytes, [1, 2, 0x7f], [0xff, 0xfe, 0x41], Array(repeating: 0x41, count: 255),
            "Orion".bytes, "orion".bytes, "caf\u{e9}".bytes, "cafe\u{301}".bytes,
            [0xe2, 0x80, 0xae], "-rf".bytes, " ".bytes,
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

    /// By whatever way, also to its smaller copy, and that copy itself as a browser saves it.
    @Test(
        "A link to a further picture leads to it, also when another takes its place",
        arguments: [
            "ln -s TWIN a", "cp TWIN a", "ln TWIN a", "ln -s '/mnt/nas/2026/11/2026-11-18 Twins (2).jpg' a",
            "ln -s SMALL a", "cp SMALL '2026-11-18-2-1280.jpg'",
        ])
    func further(make: String) async throws {
        let stem = "2026/11/2026-11-18 Twins (2)"
        let name = make.hasSuffix("'") ? "2026-11-18-2-1280.jpg" : "a"
        for type in [MediaType.jpeg, .png] {
            let files: [(StoredFile.Role, MediaType)] = [(.picture, .jpeg), (.also(2), type)]
            try await fixture.mirror.add(november(18), "Twins", "Text.", files, bytes: 3000)
            if type == .jpeg {
                try await makeCopies()
                try await fixture.shell(
                    make.replacing("TWIN", with: "'\(fixture.root)/\(stem).jpg'")
                        .replacing("SMALL", with: "\"$ROOT/gallery/2026/2026-11-18-2-1280.jpg\""))
            }
            try fixture.lookAndSettle(to: ["2026-11-18: \(name)"])
            #expect(fixture.target(name) == "../\(stem).\(type.suffix)")
        }
    }

    /// The day comes, with these files, and the folder is put in order.
    private func come(_ files: [(StoredFile.Role, MediaType)], _ state: Item.State = .mirrored) async throws {
        try await fixture.mirror.add(day, "First Horizon", "Some text.", files, state: state)
        _ = fixture.keeper.noteNew([.day(day)])
        try fixture.settle()
    }
}
