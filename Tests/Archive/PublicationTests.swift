import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

struct PublicationTests {
    /// What is taken away, so that this step fails.
    enum Step: CaseIterable { case picture, poster, catalog, json, latest }

    @Test(
        "A day that is published has its files, is then in the catalog, then has its JSON, and is the latest at last",
        arguments: Step.allCases)
    func order(step: Step) async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(1), "Before")
        let (archive, own) = (try fixture.archive(), fixture[".apod-mirror"])
        let before = Set(listing(fixture.root).filter { $0.hasPrefix("2") })
        let ready = try [
            fixture.arrival(november(20), "Video", "", [(.video, .mp4), (.poster, .png)]),
            fixture.arrival(november(21), "Orion"),
        ].map { try $0.day().ready(in: archive.tree.unfinished) }
        switch step {
        case .picture: unlink("\(own)/unfinished/2026-11-21.jpg")
        case .poster: unlink("\(own)/unfinished/2026-11-20.png")
        case .json: for name in ["2026-11-20 Video", "2026-11-21 Orion"] { unlink("\(own)/unfinished/\(name).json") }
        case .catalog:
            try archive.catalog.database.withLock { database in
                try database.script(
                    "CREATE TEMP TRIGGER refusal BEFORE INSERT ON main.day BEGIN SELECT RAISE(ABORT, 'no'); END")
            }
        case .latest: mkdir("\(own)/latest.new", 0o755)
        }
        #expect(throws: Problem.self) {
            try Publication(tree: archive.tree, catalog: archive.catalog, days: ready, read: ArchiveFixture.read).run()
        }
        let new = Set(listing(fixture.root).filter { $0.hasPrefix("2") }).subtracting(before)
        let files = ["2026-11-20 Video.mp4", "2026-11-20 Video.png", "2026-11-21 Orion.jpg"].map { "2026/11/\($0)" }
        let json = ["2026-11-20 Video.json", "2026-11-21 Orion.json"].map { "2026/11/\($0)" }
        switch step {
        case .picture, .poster: #expect(new.isDisjoint(with: json))
        case .catalog, .json: #expect(new == Set(files))
        case .latest: #expect(new == Set(files + json))
        }
        let isKnown = try archive.catalog.status(of: november(21)) != nil
        #expect(isKnown == (step == .json || step == .latest))
        #expect(target(of: fixture["latest"]) == "2026/11/2026-11-01 Before.jpg")
    }
}
