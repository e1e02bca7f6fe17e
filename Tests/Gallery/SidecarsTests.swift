import Apod
import Archive
import Catalog
import Files
import Gallery
import Glibc
import TestSupport
import Testing

struct SidecarsTests {
    private static let (last, before) = (november(20), november(19))
    private static let orion = "2026/11/2026-11-20 Night 0.jpg.xmp"

    /// A video with its poster, a page with its poster, a day without media, and a picture of another year.
    private func mixed() async throws -> GalleryFixture {
        let fixture = try await GalleryFixture(days: 1)
        try await fixture.fixture.add(november(19), "A Film", "Up.", [(.video, .mp4), (.poster, .jpeg)])
        try await fixture.fixture.add(november(18), "A Flight", "Up.", [(.page, .html), (.poster, .png)])
        try await fixture.fixture.add(november(17), "Words", "Only words.", [], state: .placeholder)
        try await fixture.fixture.add(day("1995-06-16"), "Old", "Old.", [(.picture, .gif)])
        return fixture
    }

    private static let ofMixed = [
        "1995-06-16 Old.gif.xmp", "2026-11-18 A Flight.png.xmp", "2026-11-19 A Film.jpg.xmp",
        "2026-11-19 A Film.mp4.xmp", "2026-11-20 Night 0.jpg.xmp",
    ]

    @Test(
        "The sidecars are beside each picture, poster and video, out of sight in file managers, and go when they are not wanted"
    )
    func setting() async throws {
        let fixture = try await mixed()
        let hidden = try fixture.hidden()
        for areWanted in [true, false, true] {
            try fixture.sidecars(areWanted).update(nil)
            #expect(fixture.sidecarNames == (areWanted ? Self.ofMixed : []))
            let names = areWanted ? Self.ofMixed.filter { $0.hasPrefix("2026") } : []
            #expect(try fixture.hidden() == (hidden + names).sorted())
        }
        #expect(Facts(fixture[Self.orion])?.permissions == 0o644)
        #expect(try await fixture.fixture.problems().isEmpty)
        #expect(listing(fixture[".apod-mirror/unfinished"]).isEmpty)
    }

    @Test("The sidecars say of an item of another list its licence, its date where it has one, and its list")
    func items() async throws {
        let fixture = try await GalleryFixture(days: 1)
        let list = try ListArchive("hubble", of: try fixture.archive)
        try await list.add("A Spiral", date: "1994-05-25", credit: "ESA", licence: "CC BY 4.0")
        let mittens = try await list.add("Mittens")
        let sidecars = Sidecars(list.archive, of: list.list, areWanted: true)
        try sidecars.update(nil)
        let dated = try fixture.text("lists/hubble/1994/1994-05-25 A Spiral.jpg.xmp")
        for part in ["1994-05-25T12:00:00", ">CC BY 4.0<", "<rdf:li>hubble/1994<", ">ESA<"] {
            #expect(dated.contains(part), "\(part)")
        }
        let plain = try fixture.text("lists/hubble/Mittens.jpg.xmp")
        #expect(!plain.contains("DateCreated") && !plain.contains("apod.nasa.gov") && plain.contains("<rdf:li>hubble<"))
        try await list.add("Tiger")
        #expect(try fixture.hidden("lists/hubble") == ["Mittens.jpg.xmp", "Mittens.json", "Tiger.json"])
        _ = try await list.archive.prune([mittens.day], at: 2_000_000_000)
        try sidecars.update(nil)
        #expect(Facts(fixture["lists/hubble/Mittens.jpg.xmp"]) == nil)
        try Sidecars(list.archive, of: list.list, areWanted: false).update(nil)
        #expect(Facts(fixture["lists/hubble/1994/1994-05-25 A Spiral.jpg.xmp"]) == nil)
    }

    @Test("The sidecars are looked for once when they are not wanted, and not in each month at each start")
    func unwanted() async throws {
        let fixture = try await mixed()
        try fixture.sidecars().update(nil)
        let path = fixture[Self.orion]
        let bytes = try contents(path)
        try fixture.sidecars(false).update(nil)
        try save(bytes, to: path)
        try fixture.sidecars(false).update(nil)
        #expect(try contents(path) == bytes)
        try fixture.sidecars().update(nil)
        try fixture.sidecars(false).update(nil)
        #expect(fixture.sidecarNames.isEmpty)
    }

    @Test("The sidecars are written when they differ from what they should be, and only then")
    func unchanged() async throws {
        let fixture = try await mixed()
        let sidecars = try fixture.sidecars()
        try sidecars.update(nil)
        let path = fixture[Self.orion]
        let text = try contents(path)
        let inodes = {
            fixture.sidecarNames.map { Facts(fixture["\(Day($0.prefix(10))!.folder)/\($0)"])?.inode }
        }
        let former = inodes()
        try sidecars.update([Self.last])
        try fixture.sidecars().update(nil)
        #expect(inodes() == former)
        for damage in [{ unlink(path) }, { truncate(path, 150) }] as [() -> Int32] {
            #expect(damage() == 0)
            try sidecars.update([Self.before])
            #expect((try? contents(path)) != text)
            try sidecars.update([Self.last])
            #expect(try contents(path) == text)
        }
    }

    @Test("The sidecars follow a corrected text, another type of file, a deleted picture and what was brought back")
    func changes() async throws {
        let fixture = try await GalleryFixture(days: 2)
        let sidecars = try fixture.sidecars()
        try sidecars.update(nil)
        try await fixture.fixture.add(Self.last, "Corrected", "Other words.")
        try sidecars.update([Self.last])
        #expect(try fixture.text(Self.orion).contains(">Other words.<"))
        try await fixture.fixture.add(Self.last, "Corrected", "Other words.", [(.picture, .png)])
        try sidecars.update([Self.last])
        #expect(fixture.sidecarNames == ["2026-11-19 Night 1.jpg.xmp", "2026-11-20 Night 0.png.xmp"])
        _ = try await fixture.archive.revert(Self.last, at: 1_800_000_000)
        try sidecars.update([Self.last])
        #expect(fixture.sidecarNames == ["2026-11-19 Night 1.jpg.xmp", "2026-11-20 Night 0.jpg.xmp"])
        _ = try await fixture.archive.prune([Self.before], at: 0)
        try sidecars.update([Self.before])
        #expect(fixture.sidecarNames == ["2026-11-20 Night 0.jpg.xmp"])
        #expect(try fixture.hidden() == ["2026-11-20 Night 0.jpg.xmp", "2026-11-20 Night 0.json"])
    }

    @Test("The sidecars rate a day while it is a favorite, also when only that was to be looked at")
    func favorites() async throws {
        let fixture = try await GalleryFixture(days: 2)
        try fixture.sidecars().update(nil)
        func isRated(_ name: String) throws -> Bool { try fixture.text(name).contains("<xmp:Rating>5</xmp:Rating>") }
        #expect(try !isRated(Self.orion))
        var sidecars = try fixture.sidecars()
        try fixture.archive.favorites.favor([Self.last], at: 1)
        try sidecars.update([])
        #expect(try isRated(Self.orion) && !isRated("2026/11/2026-11-19 Night 1.jpg.xmp"))
        sidecars = try fixture.sidecars()
        try fixture.archive.favorites.unfavor([Self.last], at: 2)
        try fixture.archive.favorites.favor([Self.before], at: 2)
        try sidecars.update(nil)
        #expect(try !isRated(Self.orion) && isRated("2026/11/2026-11-19 Night 1.jpg.xmp"))
    }

    @Test("The sidecars that somebody else has made or changed stay as they are", arguments: 0..<5)
    func foreign(kind: Int) async throws {
        let fixture = try await GalleryFixture(days: 2)
        let path = fixture[Self.orion]
        if kind < 2 { try fixture.sidecars().update(nil) }
        switch kind {
        case 0: try save(try contents(path).replacing("Made by apod-mirror".utf8, with: "XMP Core".utf8), to: path)
        case 1:
            unlink(path)
            symlink("/etc/hostname", path)
        case 2: try save("<x:xmpmeta/>", to: path)
        case 3: mkdir(path, 0o755)
        default: mkfifo(path, 0o644)
        }
        let former = Facts(path)
        for areWanted in [true, false] {
            try fixture.sidecars(areWanted).update(nil)
            #expect(Facts(path)?.inode == former?.inode && Facts(path)?.bytes == former?.bytes)
            let others = fixture.sidecarNames.filter { !$0.hasPrefix("2026-11-20") }
            #expect(others == (areWanted ? ["2026-11-19 Night 1.jpg.xmp"] : []))
        }
    }

    @Test("The sidecars of files that are no day's, or of a day in another month's folder, are not deleted")
    func strangers() async throws {
        let fixture = try await GalleryFixture(days: 1)
        try fixture.sidecars().update(nil)
        let own = try contents(fixture[Self.orion])
        let names = [
            "holiday.jpg.xmp", "2026-11-20 Night 0.xmp", "2026-11-20 Night 0.html.xmp", "2025-11-20 A.jpg.xmp",
        ]
        for name in names { try save(own, to: fixture["2026/11/\(name)"]) }
        try fixture.sidecars(false).update(nil)
        #expect(fixture.sidecarNames == names.sorted())
    }

    @Test(
        "The sidecars come in all other months where one may not be written in",
        .enabled(if: ImmutableFolder.canBeMade, "needs root and immutable files"))
    func refused() async throws {
        let fixture = try await mixed()
        let month = try ImmutableFolder(fixture["2026/11"])
        try fixture.sidecars().update(nil)
        withExtendedLifetime(month) {}
        #expect(fixture.sidecarNames == ["1995-06-16 Old.gif.xmp"])
    }

    @Test("The sidecars stay while the day's JSON cannot be read as the mirror's")
    func unreadable() async throws {
        let fixture = try await GalleryFixture(days: 1)
        try fixture.sidecars().update(nil)
        try save([], to: fixture["2026/11/2026-11-20 Night 0.json"])
        try fixture.sidecars().update(nil)
        #expect(fixture.sidecarNames == ["2026-11-20 Night 0.jpg.xmp"])
    }
}
