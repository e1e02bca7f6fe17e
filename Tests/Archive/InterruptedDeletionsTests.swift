import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

struct InterruptedDeletionsTests: OldDays {
    private let fixture: ArchiveFixture

    init() async throws { fixture = try await Self.filled() }

    /// What has been done when the program is killed.
    enum Step: Int, CaseIterable { case marked, filesGone, someFilesGone, rewritten, filesGoneUnmarked }

    @Test(
        "Days that were being deleted when the program was killed are gone after the next round, whatever had been done",
        arguments: Step.allCases)
    func killed(after step: Step) async throws {
        let whole = try await Self.filled()
        try await whole.prune(old)
        let goal = try tree(whole)
        let before = (tree: try tree(fixture), storedDays: try fixture.storedDays())
        if step != .filesGoneUnmarked { for day in old { try mark(day, in: fixture) } }
        if step != .marked {
            let gone = fixture.tree.filter { goal[$0] == nil }
            #expect(gone.count == 5)
            for name in step == .someFilesGone ? gone.dropLast(2) : gone[...] { unlink(fixture[name]) }
        }
        if step == .rewritten {
            for name in fixture.tree where name.hasSuffix(".json") && name.hasPrefix("2026/") {
                try save(#require(goal[name]), to: fixture[name])
            }
        }
        try await fixture.close()
        try fixture.archive().tidy()
        if step == .marked {
            #expect(try tree(fixture) == before.tree)
            #expect(try fixture.storedDays() == before.storedDays)
        }
        #expect(try await fixture.prune(old).gone == Set(step == .rewritten ? [] : old))
        #expect(try tree(fixture) == goal)
        #expect(try fixture.storedDays() == whole.storedDays())
        try await fixture.expectNoProblems()
        #expect(listing(fixture[".apod-mirror/unfinished"]).isEmpty)
    }

    @Test(
        "Days that were being deleted when the program was killed are what they were if they are whole, and news only if there are any",
        arguments: [[], [0], [0, 1, 2]])
    func whole(marked: [Int]) async throws {
        let before = (tree: try tree(fixture), storedDays: try fixture.storedDays())
        for index in marked { try mark(old[index], in: fixture) }
        // What the gallery shows is known until a day changes.
        try fixture.openCatalog.setFact(.gallery, 7)
        try await fixture.close()
        try fixture.archive().tidy()
        #expect(try (fixture.openCatalog.fact(.gallery) == 7) == marked.isEmpty)
        #expect(try tree(fixture) == before.tree)
        #expect(try fixture.storedDays() == before.storedDays)
        try await fixture.expectNoProblems()
    }

    @Test(
        "Days that were being deleted when the program was killed are missing if they have lost a file, also as favorites",
        arguments: ["mp4", "jpg"])
    func lost(suffix: String) async throws {
        for day in old { try mark(day, in: fixture) }
        unlink(fixture["2026/10/2026-10-30 Clouds.\(suffix)"])
        let before = try tree(fixture)
        try await fixture.close()
        try fixture.archive().tidy()
        #expect(try tree(fixture) == before)
        let catalog = try fixture.openCatalog
        #expect(try fixture.storedDays().map(\.state) == [.pruned, .mirrored, .downgraded, .placeholder, .mirrored])
        #expect(try catalog.gaps(in: old[0]...old[2], at: 0).contains(old[0]))
        try link(fixture, old[0])
        #expect(try catalog.due(among: [old[0]], at: november(20).noon) == [old[0]])
        #expect(try await fixture.prune(old).gone == Set(old[1...]))
        #expect(
            try tree(fixture).filter { $0.key.hasPrefix("2026/10") } == before.filter { $0.key.hasPrefix("2026/10") })
    }

    @Test(
        "Days that were being deleted when the program was killed leave nothing that is taken for an item of another list",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func item() async throws {
        let list = try ListArchive("cats", of: fixture.archive())
        let mittens = try await list.add("Mittens")
        // What is mounted on cannot be replaced.
        let json = fixture["lists/cats/Mittens.json"]
        let mount = try BindMount(of: json, over: json)
        await #expect(throws: Problem.self) { _ = try await list.archive.prune([mittens.day], at: 0) }
        try list.archive.tidy()
        #expect(try list.archive.catalog.storedDays(in: Day.all(of: list.list)).map(\.stored?.name) == [mittens])
        withExtendedLifetime(mount) {}
    }
}

extension DayStatus {
    fileprivate var marked: DayStatus {
        var status = self
        status.state = .pruned
        return status
    }
}
