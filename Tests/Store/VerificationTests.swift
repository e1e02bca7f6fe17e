import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Store

struct VerificationTests {
    private let picture = "2026/11/2026-11-20 Orion.jpg"
    private let json = "2026/11/2026-11-20 Orion.json"
    private let clouds = day("2026-10-01")

    private let fixture: ArchiveFixture

    init() async throws {
        fixture = try ArchiveFixture()
        try await fixture.add(november(20), "Orion")
        try await fixture.add(clouds, "Clouds", "", [(.video, .mp4), (.poster, .png)])
        try await fixture.add(day("1999-12-31"), "Words", "Only.", [], state: .placeholder)
    }

    @Test("A changed byte, a lost end, an added one and a lost file are found, in a picture and in JSON")
    func damaged() async throws {
        for name in [picture, json] {
            let (path, good) = (fixture[name], try contents(fixture[name]))
            var changed = good
            changed[50] ^= 1
            for bad in [changed, Array(good.dropLast()), good + [0x20], []] {
                try save(bad, to: path)
                #expect(try await fixture.problems() == ["damaged \(name)"])
            }
            unlink(path)
            #expect(try await fixture.problems() == ["missing \(name)"])
            try save(good, to: path)
        }
        // What the catalog does not know is nobody's damage.
        for name in ["2026-11-19 Mine.json", "notes.json", "2026-11-18 Mine.txt", "2026-10-18 Elsewhere.json"] {
            try save([0x7b, 0x7d], to: fixture["2026/11/\(name)"])
        }
        try await fixture.expectNoProblems()
        let stored = try #require(try fixture.openCatalog.item(of: november(20))?.stored)
        try save([UInt8](repeating: 1, count: 1000), to: fixture[picture])
        for (isByContent, count) in [(false, 1), (true, 0)] {
            #expect(try await fixture.archive().intactFiles(of: stored, byContent: isByContent).count == count)
        }
    }

    @Test(
        "What is no file is damaged, and nothing is read through it or through a linked folder",
        arguments: ["../../../outside", "fifo", "folder", "nowhere", "2026", "2026/11"])
    func replaced(kind: String) async throws {
        let (isFolder, outside) = (kind.hasPrefix("2026"), "\(fixture.folder.path)/outside")
        rename(fixture[isFolder ? kind : picture], outside)
        put(isFolder ? outside : kind, at: fixture[isFolder ? kind : picture])
        let problems = try await fixture.problems()
        let expected = isFolder ? ["missing \(picture)", "missing \(json)"] : ["damaged \(picture)"]
        #expect(problems.filter { $0.contains("2026/11") } == expected)
    }

    @Test("A verification does not complain of what whoever keeps the mirror does meanwhile")
    func meanwhile() async throws {
        func expectNothing(_ change: () async throws -> Void) async throws {
            #expect(try await fixture.problems(afterwards: change) == [])
        }
        try await expectNothing { try await fixture.add(november(20), "Orion, corrected", bytes: 2000) }
        try await expectNothing { try await fixture.add(november(20), "Orion", "", [(.picture, .png)]) }
        try await expectNothing { try await fixture.add(november(21), "Another") }
        try await expectNothing { try await fixture.prune([clouds, november(20)]) }
        #expect(try fixture.storedDays().count { $0.state == .pruned } == 2)
    }

    @Test("What was there before the catalog knew it is compared once more", arguments: [1000, 2000])
    func replacing(bytes: Int) async throws {
        let catalog = try fixture.openCatalog
        let before = try #require(try catalog.item(of: november(20)))
        try await fixture.add(november(20), "Orion", "Corrected.", bytes: bytes)
        let after = try #require(try catalog.item(of: november(20)))
        try catalog.record([.init(before)])
        #expect(try await fixture.problems(pause: { _ = try? catalog.record([.init(after)]) }) == [])
        try catalog.record([.init(before)])
        #expect(try await fixture.problems() == ["damaged \(json)"] || bytes == 2000)
        // What comes in its place is looked at, too.
        truncate(fixture[json], 10)
        #expect(try await fixture.problems(pause: { _ = try? catalog.record([.init(after)]) }) == ["damaged \(json)"])
    }

    @Test("What is damaged is found while other things change, also in a day of which only the words do")
    func damagedMeanwhile() async throws {
        let orion = try await fixture.add(november(20), "Orion")
        let record = try #require(try await fixture.archive().record(of: .day(november(20))))
        let problems = try await fixture.problems {
            truncate(fixture[picture], 10)
            unlink(fixture["1999/12/1999-12-31 Words.json"])
            let corrected = try Document(record, as: orion.name, files: orion.files, MirrorPart(fetched: 1))
            try await fixture.archive().add(
                StagedDay(corrected, record, staged: [:], item: Item(.day(november(20)), .mirrored)))
            try await fixture.prune([clouds])
        }
        #expect(problems == ["damaged \(picture)", "missing 1999/12/1999-12-31 Words.json"])
    }

    @Test("Of a day that is on its way out, nothing is missed but its JSON")
    func leaving() async throws {
        for day in [november(20), clouds] {
            var status = try #require(try fixture.openCatalog.item(of: day))
            status.state = .pruned
            try fixture.openCatalog.record([.init(status)])
        }
        for path in [picture, "2026/10/2026-10-01 Clouds.png"] { unlink(fixture[path]) }
        truncate(fixture["2026/10/2026-10-01 Clouds.mp4"], 10)
        try await fixture.expectNoProblems()
        unlink(fixture[json])
        #expect(try await fixture.problems() == ["missing \(json)"])
    }
}
