import Apod
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive

struct NewDaysTests {
    private func expectTold(_ archive: Archive) async {
        var signals = archive.newDays.signals.makeAsyncIterator()
        #expect(await signals.next() != nil)
        #expect(archive.newDays.take().contains(november(20)) && archive.newDays.take().isEmpty)
    }

    @Test("Of a day that came, but could not be made the latest, is told when it was fetched")
    func added() async throws {
        let fixture = try ArchiveFixture()
        let archive = try fixture.archive()
        mkdir(fixture.obstacle, 0o755)
        await #expect(throws: Problem.self) { try await fixture.add(november(20)) }
        #expect(try fixture.storedDays().map(\.state) == [.mirrored])
        await expectTold(archive)
    }

    @Test("Of a day that came, but could not be made the latest, is told when it was found in the tree")
    func rediscovered() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(19))
        let other = try ArchiveFixture()
        try await other.add(november(20))
        for name in other.tree where name.hasPrefix("2026/11/2026-11-20") {
            try save(contents("\(other.root)/\(name)"), to: fixture[name])
        }
        let archive = try fixture.archive()
        mkdir(fixture.obstacle, 0o755)
        #expect(throws: Problem.self) { try fixture.archive().rediscover([november(20)]) }
        #expect(try fixture.storedDays().map(\.state) == [.mirrored, .mirrored])
        await expectTold(archive)
    }
}

struct ChangedDaysTests {
    private func next(_ changes: ChangedDays) async -> Set<Day> {
        for await _ in changes.signals { return changes.take() }
        return []
    }

    @Test("A listener for changed days is not woken for a change that was taken with another")
    func takenTogether() async throws {
        let changes = ChangedDays()
        changes.add([november(19)])
        #expect(await next(changes) == [november(19)])
        changes.add([november(20)])
        #expect(changes.take() == [november(20)])
        async let woken = next(changes)
        try await Task.sleep(for: .milliseconds(50))
        changes.add([november(21)])
        #expect(await woken == [november(21)])
    }
}

extension ArchiveFixture {
    /// A folder in the way of the link that is to become `latest`.
    fileprivate var obstacle: String { "\(root)/.apod-mirror/latest.new" }
}
