import Apod
import Files
import Gallery
import Glibc
import Store
import TestSupport
import Testing

struct GalleryWalkTests {
    private static let days = ["2025-12-31", "2026-10-01", "2026-11-18", "2026-11-19", "2026-11-20"].map(day)

    /// What happens to a day, and what the service then draws again; nil: all.
    private static func happen(_ kind: Int, _ day: Day, in fixture: GalleryFixture) async throws -> Set<Day>? {
        let (archive, stored) = (try fixture.archive, try fixture.archive.catalog.item(of: day)?.stored)
        let json = stored.map { fixture["\(day.folder)/\($0.name.stem).json"] } ?? ""
        switch kind {
        case 0, 1:
            try await fixture.fixture.add(
                day, "Night", "Text \(kind).", kind == 0 ? [(.picture, .png)] : film)
        case 2: try await fixture.fixture.add(day, "Corrected", "Other words.", [], state: .placeholder)
        case 3: if stored?.image != nil { try fixture.note(copiesOf: day, color: 7) }
        case 4: if stored != nil { _ = try await archive.prune([day], at: 2_000_000_000) }
        case 5: _ = try? await archive.revert(day, at: 1_800_000_000)
        case 6, 7:
            try kind == 6 ? archive.favorites.favor([day], at: 1) : archive.favorites.unfavor([day], at: 2)
            return []
        case 8:
            _ = try await archive.prune(archive.catalog.versions(of: day)) { _ in false }
        case 9:
            try await fixture.record(day) { ($0.state, $0.stored) = (.absent, nil) }
            unlink(json)
        default:
            // Its JSON cannot be read for a while.
            rename(json, json + ".away")
            unlink(fixture["gallery/data/\(day.year)-text.js"])
            try fixture.write([day])
            rename(json + ".away", json)
            return nil
        }
        return [day]
    }

    @Test(
        "What is drawn after each change is what is drawn from nothing, and is written once", arguments: [1, 2, 3, 4])
    func walk(seed: UInt64) async throws {
        var random = Random(seed: seed)
        let fixture = try await GalleryFixture(days: 1)
        // Their years are there whatever happens.
        try await fixture.fixture.add(day("2025-01-01"))
        let (sidecars, folders) = (try fixture.sidecars(), LinkFolders(try fixture.archive))
        for name in ["", "/night", "/corrected words", "/2026", "/favorites:", "/text 1"] {
            mkdir(fixture["search\(name)"], 0o755)
        }
        func links() -> [String] { listing(fixture["search"]).filter { !$0.hasSuffix("/") } }
        func texts() throws -> [String: String] {
            try Dictionary(uniqueKeysWithValues: fixture.drawn.map { ($0, try fixture.text($0)) })
        }
        try sidecars.update(nil)
        try fixture.write()
        for step in 0..<40 {
            let kind = Int.random(in: 0..<11, using: &random)
            let day = Self.days.randomElement(using: &random) ?? november(20)
            let changed = try await Self.happen(kind, day, in: fixture)
            try fixture.write(changed)
            let keys = changed.map { Set($0.map(Key.day)) }
            try sidecars.update(keys)
            try folders.update(keys, on: nil)
            let found = links()
            for link in found { unlink(fixture["search/" + link.prefix(upTo: link.firstRange(of: " ->")!.lowerBound)]) }
            try LinkFolders(fixture.archive).update(nil, on: nil)
            #expect(links() == found, "seed \(seed), step \(step): \(kind) of \(day)")
            let drawn = try texts()
            #expect(try await fixture.written { try fixture.write() }.isEmpty)
            if step % 4 == 0 {
                for name in fixture.drawn where name.hasPrefix("gallery/data") || !name.hasPrefix("g") {
                    unlink(fixture[name])
                }
            }
            try fixture.write()
            try fixture.sidecars().update(nil)
            let anew = try texts()
            let other = Set(drawn.keys).union(anew.keys).filter { drawn[$0] != anew[$0] }
            #expect(other == [], "seed \(seed), step \(step): \(kind) of \(day)")
            if !other.isEmpty { return }
        }
    }
}
