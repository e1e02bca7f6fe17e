import Apod
import Syncing
import TestMirror
import TestSupport
import Testing

@testable import Store

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

    private func facts(_ mirror: TestMirror) throws -> [String] {
        try #require(mirror.json(Self.day)["mirror"]?["files"]?.elements).map { file in
            let marks = ["rollover", "former"].filter { file[$0]?.bool == true }
            return ([file["name"], file["role"], file["alt"]].compactMap { $0?.string } + marks).joined(separator: ", ")
        }
    }

    @Test("Pictures beside the first come with it, and stand beside it in the tree and in the JSON")
    func tree() async throws {
        let mirror = try Self.mirror()
        try await mirror.sync()
        #expect(
            try facts(mirror) == [
                "\(Self.stem).jpg, picture", "\(Self.stem) (2).jpg, also, rollover",
                "\(Self.stem) (3).jpg, also, Hubble's view.",
            ])
        #expect(mirror.nasa.requests.filter { $0.path.hasPrefix(FakeNASA.base) }.count == 1)
        #expect(try mirror.catalog.summary().pictures == 4)
        try await mirror.audit()
    }

    @Test("Missing pictures beside the first come by what their record says, though the catalog was lost")
    func lacking() async throws {
        let mirror = try Self.mirror { $0.further = [] }
        try await mirror.sync()
        // As a mirror that knows of no second picture.
        let name = "2026/11/\(Self.stem).json"
        mirror.nasa[Self.day]!.further = [Entry.Further("b")]
        let record = try JSONText(Array(mirror.nasa.record(Self.day)!))
        let (text, former) = (try mirror.bytes(name).text, try mirror.json(Self.day))
        try mirror.put(text.replacing(former["upstream"]!.text, with: record.text).bytes, at: name)
        try await mirror.loseCatalog()
        #expect(try mirror.catalog.owing(at: mirror.clock.now) == [Self.day])
        try await mirror.sync(.missing(Self.day...Self.day))
        #expect(try facts(mirror).count == 2)
        #expect(try mirror.catalog.owing(at: mirror.clock.now) == [])
        try await mirror.audit()
    }

}
