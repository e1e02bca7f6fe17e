import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

@Suite("A verification")
struct VerificationTests {
    private let picture = "2026/11/2026-11-20 Orion.jpg"
    private let json = "2026/11/2026-11-20 Orion.json"

    private let shelf: Shelf

    init() async throws {
        shelf = try Shelf()
        try await shelf.add(november(20), "Orion")
        try await shelf.add(day("2026-10-01"), "Clouds", "", [(.video, .mp4), (.poster, .png)])
        try await shelf.add(day("1999-12-31"), "Words", "Only.", [], state: .placeholder)
    }

    @Test("finds a changed byte, a lost end, an added one and a lost file")
    func damaged() async throws {
        let path = shelf[picture]
        let good = try contents(path)
        var changed = good
        changed[500] ^= 1
        for bad in [changed, Array(good.dropLast()), good + [0], []] {
            try save(bad, to: path)
            #expect(try await shelf.problems() == ["damaged \(picture)"])
        }
        unlink(path)
        #expect(try await shelf.problems() == ["missing \(picture)"])
        try save(good, to: path)
        try await shelf.expectNoProblems()
    }

    @Test("is remembered by a number and a time, and not where nothing was found")
    func remembered() throws {
        let catalog = try shelf.openCatalog
        for count in [0, 1200, 3, 0] {
            let findings = VerifyFindings(count, at: 7)
            try catalog.setVerifyFindings(findings)
            #expect(try catalog.verifyFindings() == (count == 0 ? nil : findings))
        }
        for text in ["{}", "[]", #"{"at":7}"#, #"{"count":7}"#, #"{"at":7,"count":-1}"#] {
            #expect(VerifyFindings(try JSONText(Array(text.utf8))) == nil, "\(text)")
        }
    }

    @Test("finds an edited JSON, and files that are gone with their folder")
    func more() async throws {
        try save(contents(shelf[json]) + [0x20], to: shelf[json])
        rename(shelf["2026/10"], "\(shelf.folder.path)/10")
        #expect(
            try await shelf.problems() == [
                "damaged \(json)", "missing 2026/10/2026-10-01 Clouds.json", "missing 2026/10/2026-10-01 Clouds.mp4",
                "missing 2026/10/2026-10-01 Clouds.png",
            ])
    }

    @Test(
        "takes what is no file for damaged and reads nothing through it",
        arguments: ["../../../outside.jpg", "fifo", "folder", "nowhere"])
    func replaced(kind: String) async throws {
        let path = shelf[picture]
        rename(path, "\(shelf.folder.path)/outside.jpg")
        put(kind, at: path)
        #expect(try await shelf.problems() == ["damaged \(picture)"])
    }

    @Test("does not go through a link in the place of a folder", arguments: ["2026", "2026/11"])
    func linkedFolder(place: String) async throws {
        rename(shelf[place], "\(shelf.folder.path)/outside")
        symlink("\(shelf.folder.path)/outside", shelf[place])
        let problems = try await shelf.problems()
        #expect(problems.contains("missing \(picture)"))
        #expect(problems.contains("missing \(json)"))
    }

    @Test("tells of nothing that the catalog does not know")
    func unknown() async throws {
        let folder = shelf["2026/11"]
        for name in ["2026-11-19 Mine.json", "notes.json", "2026-11-18 Mine.txt", "2026-10-18 Elsewhere.json"] {
            try save([0x7b, 0x7d], to: "\(folder)/\(name)")
        }
        #expect(try await shelf.problems() == [])
    }

    @Test("does not complain of what whoever keeps the mirror does meanwhile")
    func meanwhile() async throws {
        func expectNothing(_ change: () async throws -> Void) async throws {
            #expect(try await shelf.problems(afterwards: change) == [])
        }
        try await expectNothing { try await shelf.add(november(20), "Orion, corrected", bytes: 2000) }
        try await expectNothing { try await shelf.add(november(20), "Orion", "", [(.picture, .png)]) }
        try await expectNothing { try await shelf.add(november(21), "Another") }
        let gone = [day("2026-10-01"), november(20)]
        try await expectNothing { try await shelf.prune(gone) }
        #expect(try shelf.storedDays().count { $0.state == .pruned } == 2)
    }

    @Test("compares once more what was there before the catalog knew it", arguments: [false, true])
    func replacing(withPicture: Bool) async throws {
        let catalog = try shelf.openCatalog
        let before = try #require(try catalog.status(of: november(20)))
        try await shelf.add(november(20), "Orion", "Corrected.", bytes: withPicture ? 2000 : 1000)
        let after = try #require(try catalog.status(of: november(20)))
        try catalog.record([.init(before)])
        #expect(try await shelf.problems(pause: { try? catalog.record([.init(after)]) }) == [])
        try catalog.record([.init(before)])
        #expect(try await shelf.problems() == ["damaged \(json)"] || withPicture)
        // What comes in its place is looked at, too.
        truncate(shelf[json], 10)
        #expect(try await shelf.problems(pause: { try? catalog.record([.init(after)]) }) == ["damaged \(json)"])
    }

    @Test("takes nothing for damaged in a day that was being replaced when the program ended")
    func cutShort() async throws {
        let catalog = try shelf.openCatalog
        var status = try #require(try catalog.status(of: november(20)))
        (status.state, status.failure) = (.failed, Failure(.replacing))
        try catalog.record([.init(status)])
        try await shelf.expectNoProblems()
        truncate(shelf[picture], 10)
        unlink(shelf[json])
        #expect(try await shelf.problems() == ["replacing \(picture)", "replacing \(json)"])
    }

    @Test("finds what is damaged while other things change, also in a day of which only the words do")
    func damagedMeanwhile() async throws {
        let orion = try await shelf.add(november(20), "Orion")
        let problems = try await shelf.problems {
            truncate(shelf[picture], 10)
            unlink(shelf["1999/12/1999-12-31 Words.json"])
            let corrected = Metadata(
                name: orion.name, picture: orion.picture, files: orion.filesHere, downgraded: false, fetched: 1)
            try await shelf.archive().add(
                StagedDay(corrected, staged: [:], status: DayStatus(day: november(20), state: .mirrored)))
            try await shelf.prune([day("2026-10-01")])
            try await shelf.add(november(21), "Another")
        }
        #expect(problems == ["damaged \(picture)", "missing 1999/12/1999-12-31 Words.json"])
    }

    @Test("misses of a day that is on its way out nothing but its JSON")
    func leaving() async throws {
        let catalog = try shelf.openCatalog
        for date in ["2026-11-20", "2026-10-01"] {
            var status = try #require(try catalog.status(of: day(date)))
            status.state = .pruned
            try catalog.record([.init(status)])
        }
        try await shelf.expectNoProblems()
        for path in [picture, "2026/10/2026-10-01 Clouds.png"] { unlink(shelf[path]) }
        truncate(shelf["2026/10/2026-10-01 Clouds.mp4"], 10)
        try await shelf.expectNoProblems()
        unlink(shelf[json])
        #expect(try await shelf.problems() == ["missing \(json)"])
    }

    @Test("tells how much there is to do, and of each file")
    func progress() async throws {
        let bytes = Mutex((files: 0, checked: 0, count: 0))
        try await Verification(root: shelf.root, catalog: shelf.openCatalog).run(workers: 3) { event in
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
        #expect(try checked == shelf.openCatalog.summary().bytes)
    }

    @Test("fails where there is no folder any more")
    func gone() async throws {
        let verification = try Verification(root: shelf.root, catalog: shelf.openCatalog)
        rename(shelf.root, shelf.root + ".moved")
        await #expect(throws: StorageError.self) { try await verification.run(workers: 1) { _ in } }
    }
}
