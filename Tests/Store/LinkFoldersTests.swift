import Apod
import Glibc
import Store
import TestSupport
import Testing

struct LinkFoldersTests {
    private static let (early, late, moon, cat) = (
        "2025-11-20 A Comet.jpg", "2026-11-20 Comets of 2025.jpg", "2026-11-19 The Moon.jpg",
        "cats 2025-01-01 Comet.jpg"
    )

    private func links(in folder: String) -> Set<String> {
        Set(listing(folder).map { String($0.split(separator: " ->")[0]) })
    }

    @Test("A folder has what its name or the date asks for, and what a person puts in")
    func names() async throws {
        let fixture = try ArchiveFixture()
        for (date, title) in [("2025-11-20", "A Comet"), ("2026-11-20", "Comets of 2025"), ("2026-11-19", "The Moon")] {
            try await fixture.add(day(date), title)
        }
        let archive = try fixture.archive()
        try await ListArchive("cats", of: archive).add("Comet", date: "2025-01-01")
        try archive.favorites.favor([november(19)], at: 1)
        var name = fixture["search/comet"]
        for folder in [fixture["search"], fixture["today"], name] { mkdir(folder, 0o755) }
        symlink("../../2026/11/\(Self.moon)", "\(name)/mine.jpg")
        try save("a photo", to: "\(name)/\(Self.late)")
        let folders = LinkFolders(archive)
        for (asked, found) in [
            ("comet", [Self.early, Self.cat]), ("comet 2026", []), ("2025", [Self.early, Self.cat]),
            ("apod: comet", [Self.early]), ("cats: 2025 comet", [Self.cat]), ("favorites:", [Self.moon]),
            ("\"'*( OR", []), ("MOON", [Self.moon]),
        ] {
            rename(name, fixture["search/\(asked)"])
            name = fixture["search/\(asked)"]
            try folders.update([], on: nil)
            // Another folder of that name is filled, too.
            rename(name, fixture["away"])
            mkdir(name, 0o755)
            try folders.update([], on: nil)
            #expect(links(in: name).isSuperset(of: found))
            rename(name, fixture["gone \(asked)"])
            rename(fixture["away"], name)
            #expect(links(in: name) == Set(found + ["mine.jpg", Self.late]))
        }
        #expect(
            try fileText("\(name)/\(Self.moon)").utf8.count == 1000 && fileText("\(name)/\(Self.late)") == "a photo")
        for (date, found) in [
            ("2026-11-20", [Self.early, Self.late]), ("2026-11-19", [Self.moon]),
        ] {
            try folders.update(nil, on: day(date))
            #expect(links(in: fixture["today"]) == Set(found))
        }
        #expect(exists(fixture["today/\(Self.moon)"]))
        // A word becomes a list.
        rename(name, fixture["search/moon:"])
        try folders.update([], on: nil)
        #expect(links(in: fixture["search/moon:"]) == [Self.moon, "mine.jpg", Self.late])
        let item = try await ListArchive("moon", of: archive).add("Tides")
        try folders.update([item.key], on: nil)
        #expect(links(in: fixture["search/moon:"]) == ["moon Tides.jpg", "mine.jpg", Self.late])
    }

    @Test("A link that a person makes, or moves to another folder, stays; one in a folder that is renamed goes")
    func moved() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(19), "The Moon")
        try await fixture.add(november(20), "A Comet")
        for folder in ["", "/moon", "/comet", "/mars"] { mkdir(fixture["search\(folder)"], 0o755) }
        let (moon, comet) = ("2026-11-19 The Moon.jpg", "2026-11-20 A Comet.jpg")
        // As the mirror would make it.
        symlink("../../2026/11/\(comet)", fixture["search/moon/\(comet)"])
        let folders = LinkFolders(try fixture.archive())
        func look(_ places: [String], _ days: Set<Day>? = nil) throws -> [[String]] {
            try folders.update(days.map { Set($0.map(Key.day)) }, on: nil)
            return places.map { links(in: fixture["search/\($0)"]).sorted() }
        }
        let places = ["moon", "comet", "mars"]
        #expect(try look(places) == [[moon, comet], [comet], []])
        rename(fixture["search/moon/\(moon)"], fixture["search/mars/\(moon)"])
        for days in [[november(19)], nil, []] as [Set<Day>?] {
            #expect(try look(places, days) == [[moon, comet], [comet], [moon]])
        }
        rename(fixture["search/comet"], fixture["search/saturn"])
        #expect(try look(["moon", "saturn", "mars"]) == [[moon, comet], [], [moon]])
    }
}
