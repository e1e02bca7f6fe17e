import Apod
import Archive
import Catalog
import TestMirror
import TestSupport
import Testing

@testable import Configuration
@testable import Syncing

@Suite("A large round of retention waits until somebody says so")
struct HeldPruningTests {
    /// Sixty days, of which fifty are to go.
    private func testMirror(maxTotal: Bool = false) async throws -> TestMirror {
        let testMirror = try await TestMirror.fetched(days: 60, bytes: 20_000)
        if maxTotal { testMirror.settings.maxTotal = 1_220_000 } else { testMirror.settings.keep = Span("9d") }
        return testMirror
    }

    /// As with a program that is started for it.
    private func apply(_ testMirror: TestMirror, isAsked: Bool = false) async throws -> PruneRound {
        try await testMirror.mirror { try await $0.retention.apply(isAsked: isAsked) }
    }

    private func expectHeld(
        _ testMirror: TestMirror, days: Int, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let files = testMirror.tree
        let pruning = try await apply(testMirror)
        #expect(pruning.days.isEmpty && testMirror.tree == files, sourceLocation: location)
        #expect(pruning.hold?.days == days, sourceLocation: location)
    }

    private func expectGone(
        _ testMirror: TestMirror, days: Int, isAsked: Bool = false, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let pruning = try await apply(testMirror, isAsked: isAsked)
        #expect(pruning.days.count == days && pruning.hold == nil, sourceLocation: location)
        try await testMirror.audit()
        try await testMirror.close()
    }

    @Test("however long that takes and whatever the clock shows, and then all of it goes", arguments: [false, true])
    func asked(maxTotal: Bool) async throws {
        let testMirror = try await testMirror(maxTotal: maxTotal)
        let count = try await testMirror.mirror { try $0.range.pruning().days.count }
        #expect(maxTotal ? 31...45 ~= count : count == 50)
        for days in [0, 1, 400, -400] {
            testMirror.clock.jump(days: days)
            try await expectHeld(testMirror, days: count)
        }
        try await expectGone(testMirror, days: count, isAsked: true)
        try await expectGone(testMirror, days: 0)
    }

    @Test("but not when nobody waits for it any more: perhaps not all favorites are known", arguments: [false, true])
    func stopped(isAsked: Bool) async throws {
        let testMirror = try await testMirror()
        let done = try await testMirror.mirror { mirror in
            let retention = mirror.retention
            return try await withThrowingTaskGroup(of: PruneRound.self) { group in
                group.cancelAll()
                group.addTask { try await retention.apply(isAsked: isAsked) }
                return try await group.next()
            }
        }
        #expect(done?.days.isEmpty == true && done?.hold == nil)
        try await testMirror.close()
    }

    @Test("and no longer when `keep` is put right, when it is small, or when enough of it are favorites")
    func right() async throws {
        let testMirror = try await testMirror()
        try await expectHeld(testMirror, days: 50)
        testMirror.settings.keep = nil
        try await expectGone(testMirror, days: 0)
        testMirror.settings.keep = Span("20d")
        try await expectHeld(testMirror, days: 39)
        testMirror.settings.keep = Span("9d")
        try await testMirror.favor(Array(ago(59)...ago(41)))
        try await expectHeld(testMirror, days: 31)
        try await testMirror.favor([ago(40)])
        try await expectGone(testMirror, days: 30)
    }
}
