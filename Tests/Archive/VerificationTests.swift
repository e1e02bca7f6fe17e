import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

struct VerificationTests {
    private let picture = "2026/11/2026-11-20 Orion.jpg"
    private let json = "2026/11/2026-11-20 Orion.json"

    private let fixture: ArchiveFixture

    init() async throws {
        fixture = try ArchiveFixture()
        try await fixture.add(november(20), "Orion")
        try await fixture.add(day("2026-10-01"), "Clouds", "", [(.video, .mp4), (.poster, .png)])
        try await fixture.add(day("1999-12-31"), "Words", "Only.", [], state: .placeholder)
    }

    @Test("A verification finds a changed byte, a lost end, an added one and a lost file")
    func damaged() async throws {
        let path = fixture[picture]
        let good = try contents(path)
        var changed = good
        changed[500] ^= 1
        for bad in [changed, Array(good.dropLast()), good + [0], []] {
            try save(bad, to: path)
            #expect(try await fixture.problems() == ["damaged \(picture)"])
        }
        unlink(path)
        #expect(try await fixture.problems() == ["missing \(picture)"])
        try save(good, to: path)
        try await fixture.expectNoProblems()
    }

    @Test("A verification is remembered by a number and a time, and not where nothing was found")
    func remembered() throws {
        let catalog = try fixture.openCatalog
        for count in [0, 1200, 3, 0] {
            let findings = VerifyFindings(count, at: 7)
            try catalog.setVerifyFindings(findings)
            #expect(try catalog.verifyFindings() == (count == 0 ? nil : findings))
        }
    }

    @Test("A verification finds an edited JSON, and files that are gone with their folder")
    func more() async throws {
        try save(contents(fixture[json]) + [0x20], to: fixture[json])
        rename(fixture["2026/10"], "\(fixture.folder.path)/10")
        #expect(
            try await fixture.problems() == [
                "damaged \(json)", "missing 2026/10/2026-10-01 Clouds.json", "missing 2026/10/2026-10-01 Clouds.mp4",
                "missing 2026/10/2026-10-01 Clouds.png",
            ])
    }

    @Test(
        "A verification takes what is no file for damaged and reads nothing through it",
        arguments: ["../../../outside.jpg", "fifo", "folder", "nowhere"])
    func replaced(kind: String) async throws {
        let path = fixture[picture]
        rename(path, "\(fixture.folder.path)/outside.jpg")
        put(kind, at: path)
        #expect(try await fixture.problems() == ["damaged \(picture)"])
    }

    @Test("A verification does not go through a link in the place of a folder", arguments: ["2026", "2026/11"])
    func linkedFolder(place: String) async throws {
        rename(fixture[place], "\(fixture.folder.path)/outside")
        symlink("\(fixture.folder.path)/outside", fixture[place])
        let problems = try await fixture.problems()
        #expect(problems.contains("missing \(picture)"))
        #expect(problems.contains("missing \(json)"))
    }

    @Test("A verification tells of nothing that the catalog does not know")
    func unknown() async throws {
        let folder = fixture["2026/11"]
        for name in ["2026-11-19 Mine.json", "notes.json", "2026-11-18 Mine.txt", "2026-10-18 Elsewhere.json"] {
            try save([0x7b, 0x7d], to: "\(folder)/\(name)")
        }
        #expect(try await fixture.problems() == [])
    }

    @Test("A verification does not complain of what whoever keeps the mirror does meanwhile")
    func meanwhile() async throws {
        func expectNothing(_ change: () async throws -> Void) async throws {
            #expect(try await fixture.problems(afterwards: change) == [])
        }
        try await expectNothing { try await fixture.add(november(20), "Orion, corrected", bytes: 2000) }
        try await expectNothing { try await fixture.add(november(20), "Orion", "", [(.picture, .png)]) }
        try await expectNothing { try await fixture.add(november(21), "Another") }
        let gone = [day("2026-10-01"), november(20)]
        try await expectNothing { try await fixture.prune(gone) }
        #expect(try fixture.storedDays().count { $0.state == .pruned } == 2)
    }

    @Test("A verification compares once more what was there before the catalog knew it", arguments: [false, true])
    func replacing(withPicture: Bool) async throws {
        let catalog = try fixture.openCatalog
        let before = try #require(try catalog.status(of: november(20)))
        try await fixture.add(november(20), "Orion", "Corrected.", bytes: withPicture ? 2000 : 1000)
        let after = try #require(try catalog.status(of: november(20)))
        try catalog.record([.init(before)])
        #expect(try await fixture.problems(pause: { _ = try? catalog.record([.init(after)]) }) == [])
        try catalog.record([.init(before)])
        #expect(try await fixture.problems() == ["damaged \(json)"] || withPicture)
        // What comes in its place is looked at, too.
        truncate(fixture[json], 10)
        #expect(try await fixture.problems(pause: { _ = try? catalog.record([.init(after)]) }) == ["damaged \(json)"])
    }

    @Test("A verification finds what is damaged while other things change, also in a day of which only the words do")
    func damagedMeanwhile() async throws {
        let orion = try await fixture.add(november(20), "Orion")
        let problems = try await fixture.problems {
            truncate(fixture[picture], 10)
            unlink(fixture["1999/12/1999-12-31 Words.json"])
            let corrected = Metadata(
                name: orion.name, picture: orion.picture, files: orion.filesHere, downgraded: false, fetched: 1)
            try await fixture.archive().add(
                StagedDay(corrected, staged: [:], status: DayStatus(day: november(20), state: .mirrored)))
            try await fixture.prune([day("2026-10-01")])
            try await fixture.add(november(21), "Another")
        }
        #expect(problems == ["damaged \(picture)", "missing 1999/12/1999-12-31 Words.json"])
    }

    @Test("A verification misses of a day that is on its way out nothing but its JSON")
    func leaving() async throws {
        let catalog = try fixture.openCatalog
        for date in ["2026-11-20", "2026-10-01"] {
            var status = try #require(try catalog.status(of: day(date)))
            status.state = .pruned
            try catalog.record([.init(status)])
        }
        try await fixture.expectNoProblems()
        for path in [picture, "2026/10/2026-10-01 Clouds.png"] { unlink(fixture[path]) }
        truncate(fixture["2026/10/2026-10-01 Clouds.mp4"], 10)
        try await fixture.expectNoProblems()
        unlink(fixture[json])
        #expect(try await fixture.problems() == ["missing \(json)"])
    }

    @Test("A verification tells how much there is to do, and of each file")
    func progress() async throws {
        let bytes = Mutex((files: 0, checked: 0, count: 0))
        try await Verification(root: fixture.root, catalog: fixture.openCatalog).run(workers: 3) { event in
            bytes.withLock { bytes in
                switch event {
                case .planned(let files): bytes.files = files
                case .checked(let size): (bytes.checked, bytes.count) = (bytes.checked + size, bytes.count + 1)
                case .found: break
                }
            }
        }
        let (files, checked, count) = bytes.withLock(\.self)
        #expect(files == 6 && count == 6)
        #expect(try checked == fixture.openCatalog.summary().bytes)
    }

    @Test("A verification fails where there is no folder any more")
    func gone() async throws {
        let verification = try Verification(root: fixture.root, catalog: fixture.openCatalog)
        rename(fixture.root, fixture.root + ".moved")
        await #expect(throws: Problem.self) { try await verification.run(workers: 1) { _ in } }
    }
}
