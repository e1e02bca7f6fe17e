import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

@Suite("Days that were on their way out when the program was killed")
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
        try tidy(shelf, going: old)
        if step == .marked {
            #expect(try tree(shelf) == before.tree)
            #expect(try shelf.storedDays() == before.storedDays)
        }
        // Of what had not begun, and on a full disk was not marked, the next round sees.
        let rest = step == .marked || step == .filesGoneUnmarked ? old : step == .someFilesGone ? [old[2]] : []
        #expect(try await shelf.prune(old).gone == Set(rest))
        #expect(try tree(shelf) == goal)
        #expect(try shelf.storedDays() == whole.storedDays())
        try await shelf.expectNoProblems()
        #expect(listing(shelf[".apod-mirror/unfinished"]).isEmpty)
    }

    @Test("stay if they are whole, and are not to go any more", arguments: [[0], [1], [2], [0, 1, 2]])
    func staying(marked: [Int]) async throws {
        let before = (tree: try tree(shelf), storedDays: try shelf.storedDays())
        for index in marked { try mark(old[index], in: shelf) }
        try await shelf.close()
        try tidy(shelf, going: [])
        #expect(try tree(shelf) == before.tree)
        #expect(try shelf.storedDays() == before.storedDays)
        try await shelf.expectNoProblems()
    }

    @Test("are asked for again if they have lost a file, and are not to go any more", arguments: [[0], [1], [0, 1]])
    func lost(indices: [Int]) async throws {
        for day in old { try mark(day, in: shelf) }
        let files = shelf.tree.filter { $0.hasPrefix("2026/10/2026-10-30") && !$0.hasSuffix(".json") }
        #expect(files.count == 2)
        for index in indices { unlink(shelf[files[index]]) }
        let before = try tree(shelf)
        try await shelf.close()
        try tidy(shelf, going: [])
        #expect(try tree(shelf) == before)
        #expect(try shelf.openCatalog.failed(at: 0) == [old[0]])
        #expect(try shelf.storedDays().map(\.state) == [.failed, .mirrored, .downgraded, .placeholder, .mirrored])
        #expect(try shelf.openCatalog.marked().isEmpty)
    }

    @Test("are done if their JSON was rewritten already, also if they are not to go any more")
    func rewritten() async throws {
        let whole = try await Self.filled()
        try await whole.prune([old[0]])
        try mark(old[0], in: shelf)
        for suffix in ["mp4", "jpg"] { unlink(shelf["2026/10/2026-10-30 Clouds.\(suffix)"]) }
        let json = "2026/10/2026-10-30 Clouds.json"
        try save(contents("\(whole.root)/\(json)"), to: shelf[json])
        try await shelf.close()
        try tidy(shelf, going: [])
        #expect(try shelf.storedDays() == whole.storedDays())
        try await shelf.expectNoProblems()
    }

    @Test("are what they were if they have become favorites since", arguments: [true, false], [true, false])
    func killedAndWanted(isWhole: Bool, isToGo: Bool) async throws {
        let storedDays = try shelf.storedDays()
        try mark(old[0], in: shelf)
        try link(shelf, old[0])
        if !isWhole { unlink(shelf["2026/10/2026-10-30 Clouds.jpg"]) }
        let before = try tree(shelf)
        try await shelf.close()
        try tidy(shelf, going: isToGo ? old : [])
        #expect(try tree(shelf) == before)
        let catalog = try shelf.openCatalog
        #expect(try catalog.dueFavorites(at: november(20).noon) == (isWhole ? [] : [old[0]]))
        #expect(try isToGo || catalog.failed(at: 0).isEmpty)
        let isSame = try shelf.storedDays() == storedDays
        #expect(isSame == isWhole)
    }

    @Test("are left as they are if they are wanted, though nobody has noted it")
    func killedAndLinked() async throws {
        for day in old { try mark(day, in: shelf) }
        unlink(shelf["2026/10/2026-10-30 Clouds.jpg"])
        unlink(shelf["2026/11/2026-11-01 A Flight.html"])
        let before = shelf.tree.filter { $0.hasPrefix("2026/10") }
        try await shelf.close()
        let wanted = old[0]
        try tidy(shelf, going: old) { $0 == wanted }
        #expect(shelf.tree.filter { $0.hasPrefix("2026/10") } == before)
        #expect(shelf.tree.filter { $0.contains("2026-11-01") } == ["2026/11/2026-11-01 A Flight.json"])
        #expect(try shelf.openCatalog.marked() == [wanted])
        try tidy(shelf, going: old)
        #expect(try shelf.openCatalog.marked().isEmpty)
        #expect(shelf.tree.filter { $0.hasPrefix("2026/10/") }.count == 2)
    }
}
