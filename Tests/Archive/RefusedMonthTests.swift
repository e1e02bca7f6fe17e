import Apod
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive

@Suite(.enabled(if: ImmutableFolder.canBeMade, "needs root and immutable files"))
struct RefusedMonthTests {
    private let bad = day("2026-10-30")
    private let good = november(20)

    private func add(_ day: Day, to fixture: ArchiveFixture, _ media: MediaType = .jpeg) async -> Problem? {
        do {
            try await fixture.add(day, "A Title", "Text of \(media).", [(.picture, media)])
            return nil
        } catch {
            return error as? Problem
        }
    }

    @Test(
        "A month that refuses what is to be done in it costs no day of another that is put into its place at the same moment"
    )
    func sideBySide() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(bad.advanced(by: -9))
        let path = fixture["2026/10"]
        let before = listing(path)
        let folder = try ImmutableFolder(path)
        let archive = try fixture.archive()
        let days = (0..<8).flatMap { [good.advanced(by: -$0), bad.advanced(by: -$0)] }
        let newDays = try days.map { try fixture.arrival($0) }
        let errors = await withTaskGroup(of: Problem?.self, returning: [Problem].self) { group in
            for arrival in newDays {
                group.addTask { () -> Problem? in
                    do {
                        try await archive.add(arrival.day())
                        return nil
                    } catch {
                        return error.problem
                    }
                }
            }
            return await group.reduce(into: []) { if let error = $1 { $0.append(error) } }
        }
        #expect(errors.count == 8)
        for error in errors {
            #expect(!error.isGeneral)
            #expect("\(error)".hasPrefix("cannot write in \(path): "), "\(error)")
            #expect(error.number == Int(EPERM) && error.path == path)
        }
        #expect(listing(path) == before)
        let here = [bad.advanced(by: -9)] + (0..<8).reversed().map { good.advanced(by: -$0) }
        #expect(try fixture.storedDays().map(\.day) == here)
        withExtendedLifetime(folder) {}
    }

    @Test(
        "A month that refuses what is to be done in it leaves the day that is there whole when it should become another, and lets it become that later"
    )
    func replaced() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(bad)
        let before = fixture.tree
        var folder: ImmutableFolder? = try ImmutableFolder(fixture["2026/10"])
        #expect(await add(bad, to: fixture, .png)?.isGeneral == false)
        #expect(fixture.tree == before && !exists(fixture[".apod-mirror/replaced"]))
        try await fixture.expectNoProblems()
        _ = folder.take()
        #expect(await add(bad, to: fixture, .png) == nil)
        #expect(fixture.tree.contains("2026/10/2026-10-30 A Title.png"))
        #expect(!fixture.tree.contains("2026/10/2026-10-30 A Title.jpg"))
    }
}
