import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

@Suite("Days that were being deleted when the program was killed")
struct InterruptedDeletionsTests: OldDays {
    private let shelf: Shelf

    init() async throws { shelf = try await Self.filled() }

    /// What has been done when the program is killed.
    enum Step: Int, CaseIterable { case marked, filesGone, someFilesGone, rewritten, filesGoneUnmarked }

    @Test("are gone after the next round, whatever had been done", arguments: Step.allCases)
    func killed(after step: Step) async throws {
        let whole = try await Self.filled()
        try await whole.prune(old)
        let goal = try tree(whole)
        let before = (tree: try tree(shelf), storedDays: try shelf.storedDays())
        if step != .filesGoneUnmarked { for day in old { try mark(day, in: shelf) } }
        if step != .marked {
            let gone = shelf.tree.filter { goal[$0] == nil }
            #expect(gone.count == 5)
            for name in step == .someFilesGone ? gone.dropLast(2) : gone[...] { unlink(shelf[name]) }
        }
        if step == .rewritten {
            for name in shelf.tree where name.hasSuffix(".json") && name.hasPrefix("2026/") {
                try save(#require(goal[name]), to: shelf[name])
            }
        }
        try await shelf.close()
        try shelf.archive().tidy()
        if step == .marked {
            #expect(try tree(shelf) == before.tree)
            #expect(try shelf.storedDays() == before.storedDays)
        }
        #expect(try await shelf.prune(old).gone == Set(step == .rewritten ? [] : old))
        #expect(try tree(shelf) == goal)
        #expect(try shelf.storedDays() == whole.storedDays())
        try await shelf.expectNoProblems()
        #expect(listing(shelf[".apod-mirror/unfinished"]).isEmpty)
    }

    @Test("are what they were if they are whole, and news only if there are any", arguments: [[], [0], [0, 1, 2]])
    func whole(marked: [Int]) async throws {
        let before = (tree: try tree(shelf), storedDays: try shelf.storedDays())
        for index in marked { try mark(old[index], in: shelf) }
        // What the gallery shows is known until a day changes.
        try shelf.openCatalog.setFact(.gallery, 7)
        try await shelf.close()
        try shelf.archive().tidy()
        #expect(try (shelf.openCatalog.fact(.gallery) == 7) == marked.isEmpty)
        #expect(try tree(shelf) == before.tree)
        #expect(try shelf.storedDays() == before.storedDays)
        try await shelf.expectNoProblems()
    }

    @Test("are missing if they have lost a file, also as favorites", arguments: ["mp4", "jpg"])
    func lost(suffix: String) async throws {
        for day in old { try mark(day, in: shelf) }
        unlink(shelf["2026/10/2026-10-30 Clouds.\(suffix)"])
        let before = try tree(shelf)
        try await shelf.close()
        try shelf.archive().tidy()
        #expect(try tree(shelf) == before)
        let catalog = try shelf.openCatalog
        #expect(try shelf.storedDays().map(\.state) == [.pruned, .mirrored, .downgraded, .placeholder, .mirrored])
        #expect(try catalog.gaps(in: old[0]...old[2], at: 0).contains(old[0]))
        try link(shelf, old[0])
        #expect(try catalog.due(among: [old[0]], at: november(20).noon) == [old[0]])
        #expect(try await shelf.prune(old).gone == Set(old[1...]))
        #expect(try tree(shelf).filter { $0.key.hasPrefix("2026/10") } == before.filter { $0.key.hasPrefix("2026/10") })
    }
}

extension DayStatus {
    fileprivate var marked: DayStatus {
        var status = self
        status.state = .pruned
        return status
    }
}
