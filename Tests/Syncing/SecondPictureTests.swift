import Apod
import Catalog
import Configuration
import Files
import Glibc
import Synchronization
import Syncing
import TestMirror
import TestSupport
import Testing

@testable import Archive

struct SecondPictureTests {
    /// Today with a rollover and one more, yesterday without.
    private static func mirror(_ change: (inout Entry) -> Void = { _ in }) throws -> TestMirror {
        var entry = Entry(TestMirror.today, title: "Webb's View of M64")
        entry.further = [Entry.Further("labels", isRollover: true), Entry.Further("b", alt: "Hubble's view.")]
        change(&entry)
        return try TestMirror([Entry(ago(1), title: "Alone"), entry])
    }

    private static let day = TestMirror.today
    private static let stem = "2026-11-20 Webb's View of M64"
    private static let all = [" (2).jpg", " (3).jpg", ".jpg", ".json"].map { stem + $0 }

    private func facts(_ mirror: TestMirror) throws -> [String] {
        try #require(mirror.json(Self.day)["mirror"]?["files"]?.elements).map { file in
            let marks = ["rollover", "former"].filter { file[$0]?.bool == true }
            return ([file["name"], file["role"], file["alt"]].compactMap { $0?.string } + marks).joined(separator: ", ")
        }
    }

    @Test(
        "Pictures beside the first stand beside it in the tree and in the JSON, and come when all days have their first"
    )
    func tree() async throws {
        let mirror = try Self.mirror()
        let events = try await mirror.sync()
        #expect(mirror.files(Self.day) == Self.all)
        #expect(
            try facts(mirror) == [
                "\(Self.stem).jpg, picture", "\(Self.stem) (2).jpg, also, rollover",
                "\(Self.stem) (3).jpg, also, Hubble's view.",
            ])
        #expect(events.words.suffix(2) == ["2 further planned", "\(Self.day) further"])
        #expect(
            mirror.fileRequests.map { $0.split(separator: "_").last! }.suffix(2).sorted() == ["b.jpg", "labels.jpg"])
        #expect(mirror.nasa.requests.filter { $0.path.hasPrefix(FakeNASA.base) }.count == 1)
        let json = try mirror.json(Self.day)
        let first = mirror.nasa[Self.day]!.files[0].path
        #expect(json["hdurl"]?.string == mirror.nasa.origin + Entry.originals + first)
        #expect(target(of: mirror["latest"]) == "2026/11/\(Self.stem).jpg")
        #expect(try mirror.catalog.summary().pictures == 4)
        try await mirror.audit()
        #expect(try await mirror.sync().words.contains { $0.contains("further") } == false)
        try await mirror.loseCatalog()
        #expect(try mirror.catalog.awaitingFurther(in: Day.all).isEmpty)
        try await mirror.audit()
    }

    @Test("Pictures beside the first come from the records that a mirror has kept, without a question")
    func upgrade() async throws {
        let mirror = try Self.mirror()
        // As a mirror that knows of no second picture.
        try await mirror.sync(.gaps(mirror.since...mirror.today))
        #expect(mirror.files(Self.day) == Self.all.suffix(2))
        try await mirror.loseCatalog()
        mirror.nasa.answer(FakeNASA.base, Response(status: 500))
        let before = mirror.questions.count
        let events = try await mirror.sync(.further(mirror.since...mirror.today))
        #expect(events.words == ["2 further planned", "\(Self.day) further"])
        #expect(mirror.questions.count == before)
        #expect(mirror.files(Self.day) == Self.all)
        try await mirror.audit()
    }

    @Test("Pictures beside the first that cannot be had make a day incomplete, and no other waits")
    func absent() async throws {
        let mirror = try Self.mirror()
        mirror.nasa.answer("_b.jpg", Response(status: 404))
        let events = try await mirror.sync()
        #expect(events[Self.day] == "failed")
        #expect(mirror.files(Self.day) == Self.all.filter { !$0.contains("(3)") })
        #expect(try mirror.status(Self.day)?.state == .failed)
        #expect(try mirror.catalog.summary().failed.map(\.isIncomplete) == [true])
        mirror.nasa.intercept = nil
        try await mirror.sync(.days([Self.day]))
        #expect(mirror.files(Self.day) == Self.all)
        #expect(try mirror.status(Self.day)?.state == .mirrored)
        try await mirror.audit()
    }

    @Test("Pictures beside the first keep their names as they come, go and change places, and nothing is lost")
    func corrections() async throws {
        let mirror = try Self.mirror()
        try await mirror.sync()
        let bytes = try Self.all.map { try mirror.bytes("2026/11/\($0)") }
        // The rollover goes: it stays where it is.
        mirror.nasa[Self.day]!.further.removeFirst()
        try await mirror.sync()
        #expect(
            try facts(mirror)[1...] == [
                "\(Self.stem) (2).jpg, also, rollover, former", "\(Self.stem) (3).jpg, also, Hubble's view.",
            ])
        // Another comes, and takes the lowest number: what was there is kept.
        mirror.nasa[Self.day]!.further.insert(Entry.Further("c"), at: 0)
        try await mirror.sync()
        #expect(
            try facts(mirror)[1...] == [
                "\(Self.stem) (2).jpg, also", "\(Self.stem) (3).jpg, also, Hubble's view.",
            ])
        #expect(try mirror.bytes("2026/11/\(Self.all[1])") == bytes[1])
        #expect(try mirror.bytes(".apod-mirror/replaced/apod/\(Self.stem)/2/\(Self.stem) (2).jpg") == bytes[0])
        try await mirror.audit()
        // What was replaced comes back.
        let reverted = try await mirror.archive().revert(Self.day, at: mirror.clock.now)
        #expect(reverted == .done)
        #expect(try mirror.bytes("2026/11/\(Self.all[0])") == bytes[0])
        try await mirror.audit()
    }

    @Test("Pictures beside the first come by the record that their day has when nobody else changes it")
    func race() async throws {
        let mirror = try Self.mirror()
        try await mirror.sync(.gaps(mirror.since...mirror.today))
        try await mirror.close()
        // A correction without them, whose first picture comes when somebody waits for the day.
        mirror.nasa[Self.day]!.further = []
        mirror.nasa[Self.day]!.file = "Another"
        mirror.nasa[Self.day]!.explanation = "Other words."
        let range = mirror.since...mirror.today
        let isAsked = Mutex(false)
        try await mirror.mirror { open in
            let locks = open.archive.dayLocks
            mirror.nasa.alter { _, _ in
                let isFirst = isAsked.withLock { isAsked in
                    defer { isAsked = true }
                    return !isAsked
                }
                #expect(throws: Never.self) {
                    if isFirst { try block(for: "one who waits for the day") { locks.waitingCount > 0 } }
                }
            }
            let correction = open.refresh().running(.days([Self.day]))
            try await lookOut(for: "a request for the picture") { isAsked.withLock(\.self) }
            for try await _ in open.refresh().running(.further(range)) {}
            for try await _ in correction {}
        }
        #expect(try facts(mirror) == ["\(Self.stem).jpg, picture"])
        #expect(try mirror.json(Self.day)["explanation"]?.string == "Other words.")
        try await mirror.audit()
    }

    @Test("Pictures beside the first that came with a correction stay when it is reverted, as if they had been dropped")
    func reverted() async throws {
        let mirror = try Self.mirror { $0.further = [] }
        try await mirror.sync()
        mirror.nasa[Self.day]!.further = [Entry.Further("b")]
        mirror.nasa[Self.day]!.explanation = "Other words."
        try await mirror.sync()
        for marks in ["also, former", "also"] {
            #expect(try await mirror.archive().revert(Self.day, at: mirror.clock.now) == .done)
            #expect(try facts(mirror) == ["\(Self.stem).jpg, picture", "\(Self.stem) (2).jpg, \(marks)"])
            try await mirror.sync()
            try await mirror.audit()
        }
    }

    @Test("Pictures beside the first are deleted and come back with their day")
    func pruned() async throws {
        let mirror = try Self.mirror()
        try await mirror.sync()
        _ = try await mirror.archive().prune([Self.day], at: mirror.clock.now)
        #expect(mirror.files(Self.day) == ["\(Self.stem).json"])
        #expect(try mirror.catalog.awaitingFurther(in: Day.all).isEmpty)
        try await mirror.sync(.days([Self.day]))
        #expect(mirror.files(Self.day) == Self.all)
        try await mirror.audit()
    }

    @Test("Pictures beside the first that are damaged are found and fetched again")
    func repaired() async throws {
        let mirror = try Self.mirror()
        try await mirror.sync()
        try mirror.put([1, 2, 3], at: "2026/11/\(Self.all[1])")
        #expect(try await mirror.problems().count == 1)
        try await mirror.sync(.again([Self.day]))
        try await mirror.audit()
    }

    @Test("Pictures beside the first stand beside a video, too, and come from the record that was kept")
    func film() async throws {
        let mirror = try Self.mirror { entry in
            entry = Entry(TestMirror.today, .video, title: "Night Clouds")
            entry.further = [Entry.Further("b")]
        }
        try await mirror.sync(.gaps(mirror.since...mirror.today))
        try await mirror.loseCatalog()
        try await mirror.sync()
        let names = [" (2).jpg", ".jpg", ".json", ".mp4"].map { "2026-11-20 Night Clouds\($0)" }
        #expect(mirror.files(Self.day) == names)
        #expect(try facts(mirror).last == "2026-11-20 Night Clouds (2).jpg, also")
        try await mirror.audit()
    }
}
