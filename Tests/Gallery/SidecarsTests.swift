import Apod
import Files
import Gallery
import Glibc
import Store
import TestSupport
import Testing

struct SidecarsTests {
    private static let orion = "2026/11/2026-11-20 Night 0.jpg.xmp"
    private static let ofMixed = [
        "1995/06/1995-06-16 Old.gif.xmp", "2026/11/2026-11-18 A Flight.png.xmp", "2026/11/2026-11-19 A Film.jpg.xmp",
        "2026/11/2026-11-19 A Film.mp4.xmp", orion,
    ]

    /// A video with its poster, a page with its poster, a day without media, and a picture of another year.
    private func mixed() async throws -> GalleryFixture {
        let fixture = try await GalleryFixture(days: 1)
        try await fixture.fixture.add(november(19), "A Film", "Up.", film)
        try await fixture.fixture.add(november(18), "A Flight", "Up.", [(.page, .html), (.poster, .png)])
        try await fixture.fixture.add(november(17), "Words", "Only words.", [], state: .placeholder)
        try await fixture.fixture.add(day("1995-06-16"), "Old", "Old.", [(.picture, .gif)])
        return fixture
    }

    @Test("The sidecars are beside each picture, poster and video, hidden, and go once when they are not wanted")
    func setting() async throws {
        let fixture = try await mixed()
        func hidden() throws -> [String] {
            try fixture.text("2026/11/.hidden").split(separator: "\n").map { "2026/11/\($0)" }.filter {
                $0.hasSuffix("xmp")
            }
        }
        for areWanted in [true, false, true] {
            try fixture.sidecars(areWanted).update(nil)
            #expect(fixture.sidecarNames == (areWanted ? Self.ofMixed : []))
            #expect(try hidden() == (areWanted ? Array(Self.ofMixed.dropFirst()) : []))
        }
        #expect(Facts(fixture[Self.orion])?.permissions == 0o644)
        #expect(try await fixture.fixture.problems().isEmpty && listing(fixture[".apod-mirror/unfinished"]).isEmpty)
        // They are not looked for in each month at each start.
        let bytes = try contents(fixture[Self.orion])
        try fixture.sidecars(false).update(nil)
        try save(bytes, to: fixture[Self.orion])
        try fixture.sidecars(false).update(nil)
        #expect(fixture.sidecarNames == [Self.orion])
    }

    @Test("The sidecars say of an item of another list its licence, its date where it has one, and its list")
    func items() async throws {
        let fixture = try await GalleryFixture(days: 1)
        let list = try ListArchive("hubble", of: try fixture.archive)
        try await list.add("A Spiral", date: "1994-05-25", credit: "ESA", licence: "CC BY 4.0")
        let mittens = try await list.add("Mittens", text: "")
        try Sidecars(list.archive, areWanted: true).update(nil)
        let dated = try fixture.text("lists/hubble/1994/1994-05-25 A Spiral.jpg.xmp")
        for part in ["1994-05-25T12:00:00", ">CC BY 4.0<", "<dc:subject>", "<rdf:li>hubble/1994<", ">ESA<"] {
            #expect(dated.contains(part), "\(part)")
        }
        let plain = try fixture.text("lists/hubble/Mittens.jpg.xmp")
        for part in ["DateCreated", "apod.nasa.gov", "dc:creator", "dc:description", "dc:rights", "Credit", "Rating"] {
            #expect(!plain.contains(part), "\(part)")
        }
        #expect(plain.contains("<rdf:li>hubble<"))
        _ = try await list.archive.prune([mittens.key], at: 2_000_000_000)
        for (areWanted, keys) in [(true, [mittens.key]), (false, nil)] as [(Bool, Set<Key>?)] {
            try Sidecars(list.archive, areWanted: areWanted).update(keys)
            #expect(fixture.sidecarNames.count == (areWanted ? 2 : 0))
        }
    }

    @Test("The sidecars are written anew when they are damaged, and rate a day while it is a favorite")
    func changes() async throws {
        let fixture = try await GalleryFixture(days: 2)
        try await fixture.fixture.add(november(18), "Twins", "Up.", [(.picture, .jpeg), (.also(2), .png)])
        let sidecars = try fixture.sidecars()
        try sidecars.update(nil)
        #expect(try await fixture.written { try sidecars.update(nil) }.isEmpty && fixture.sidecarNames.count == 4)
        let path = fixture[Self.orion]
        let text = try contents(path)
        #expect(try await fixture.written { try sidecars.update([.day(november(20))]) }.isEmpty)
        for damage in [{ unlink(path) }, { truncate(path, 150) }] as [() -> Int32] {
            #expect(damage() == 0)
            try sidecars.update([.day(november(19))])
            #expect((try? contents(path)) != text)
            try sidecars.update([.day(november(20))])
            #expect(try contents(path) == text)
        }
        for isFavorite in [true, false] {
            let log = try fixture.archive.favorites
            if isFavorite { try log.favor([november(20)], at: 1) } else { try log.unfavor([november(20)], at: 2) }
            #expect(try await fixture.written { try sidecars.update([]) } == [Self.orion])
            #expect(try fixture.text(Self.orion).contains("<xmp:Rating>5</xmp:Rating>") == isFavorite)
        }
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
            #expect((Facts(fixture["2026/11/2026-11-19 Night 1.jpg.xmp"]) != nil) == areWanted)
        }
    }

    @Test("The sidecars of strange files, of other months' days and of unreadable days are not deleted")
    func strangers() async throws {
        let fixture = try await GalleryFixture(days: 1)
        try fixture.sidecars().update(nil)
        let own = try contents(fixture[Self.orion])
        let names = ["2025-11-20 A.jpg", "2026-11-20 Night 0.html", "2026-11-20 Night 0", "holiday.jpg"].map {
            "2026/11/\($0).xmp"
        }
        for name in names { try save(own, to: fixture[name]) }
        try save([], to: fixture["2026/11/2026-11-20 Night 0.json"])
        for areWanted in [true, false] {
            try fixture.sidecars(areWanted).update(nil)
            #expect(fixture.sidecarNames == (names + (areWanted ? [Self.orion] : [])).sorted())
        }
    }

    @Test(
        "The sidecars come in all other months where one may not be written in",
        .firmFolders)
    func refused() async throws {
        let fixture = try await mixed()
        let month = try ImmutableFolder(fixture["2026/11"])
        try fixture.sidecars().update(nil)
        withExtendedLifetime(month) {}
        #expect(fixture.sidecarNames == ["1995/06/1995-06-16 Old.gif.xmp"])
    }
}
