import Apod
import Glibc
import Store
import TestMirror
import TestSupport
import Testing

@testable import Configuration
@testable import Syncing

struct HeldPruningTests {
    /// Sixty days, of which fifty are to go.
    private func testMirror() async throws -> TestMirror {
        let testMirror = try await TestMirror.fetched(days: 60)
        testMirror.settings.keep = Span("9d")
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
        #expect(pruning.holds.first?.days == days, sourceLocation: location)
    }

    private func expectGone(
        _ testMirror: TestMirror, days: Int, isAsked: Bool = false, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let pruning = try await apply(testMirror, isAsked: isAsked)
        #expect(pruning.days.count == days && pruning.holds.isEmpty, sourceLocation: location)
        try await testMirror.audit()
        try await testMirror.close()
    }

    @Test("A round waits no longer when `keep` is put right, or it is small by favorites")
    func right() async throws {
        let testMirror = try await testMirror()
        try await expectHeld(testMirror, days: 50)
        testMirror.settings.keep = nil
        try await expectGone(testMirror, days: 0)
        testMirror.settings.keep = Span("54d")
        try await expectGone(testMirror, days: 5)
        testMirror.settings.keep = Span("9d")
        try await testMirror.favor(Array(ago(54)...ago(16)))
        try await expectHeld(testMirror, days: 6)
        try await testMirror.favor([ago(15)])
        try await expectGone(testMirror, days: 5)
    }

    @Test("A round by the last rule waits only for more than half, also in a new catalog")
    func sameRule() async throws {
        let testMirror = try await testMirror()
        testMirror.settings.keep = Span("59d")
        func pass(days: Int) {
            for _ in 0..<days {
                testMirror.clock.pass(days: 1)
                testMirror.nasa.add(Entry(Day(utc: testMirror.clock.now), bytes: 1_000))
            }
        }
        // A plan that deletes nothing applies no rule.
        try await expectGone(testMirror, days: 0)
        pass(days: 6)
        try await testMirror.fetch()
        try await expectHeld(testMirror, days: 6)
        try await expectGone(testMirror, days: 6, isAsked: true)
        pass(days: 20)
        try await testMirror.fetch()
        try await expectGone(testMirror, days: 20)
        pass(days: 7)
        try await testMirror.fetch()
        try await testMirror.loseCatalog()
        try await expectGone(testMirror, days: 7)
        pass(days: 7)
        try await testMirror.fetch()
        try await testMirror.close()
        unlink(testMirror[".apod-mirror/rules"])
        try await expectHeld(testMirror, days: 7)
    }

    @Test("A round does not wait in a mirror that began with its rule")
    func begun() async throws {
        let testMirror = try TestMirror(days: 40, bytes: 10_000) { $0.maxTotal = 500_000 }
        try await testMirror.fetch()
        let pruning = try await apply(testMirror)
        #expect(pruning.holds.isEmpty && 6...12 ~= pruning.days.count, "\(pruning)")
    }
}
