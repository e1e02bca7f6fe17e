import Apod
import Glibc
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite(.patience)
struct RefusedMonthTests {
    private let today = TestMirror.today
    /// More than may fail in a row where it is the upstream's fault.
    private let bad = (0..<25).map { Day("2024-10-31")!.advanced(by: -$0) }
    private let others = [TestMirror.today, Day("2024-11-01")!, Day("2024-09-30")!, Day("2023-10-15")!]

    @Test(
        "A month in whose place is a file or a link costs its own days alone, which is told, and passes",
        arguments: [false, true])
    func taken(isLink: Bool) async throws {
        let testMirror = try TestMirror((others + bad).map { Entry($0, bytes: 2_000) })
        _ = try testMirror.archive()
        let month = testMirror["2024/10"]
        mkdir(testMirror["2024"], 0o755)
        let outside = try TemporaryFolder()
        if isLink { symlink(outside.path, month) } else { try save([1], to: month) }
        let (events, error) = try await testMirror.attempt(.days(Set(others + bad)))
        #expect(error == nil)
        for day in others { #expect(events[day] == "mirrored", "\(day)") }
        for day in bad {
            #expect(events[day] == "failed", "\(day)")
            let status = try #require(try testMirror.status(day))
            #expect(status.failure?.path == month && status.state == .failed)
        }
        #expect(listing(testMirror[".apod-mirror/unfinished"]) == [] && listing(outside.path) == [])
        unlink(month)
        try await testMirror.sync(.days(Set(bad)))
        for day in bad { #expect(try testMirror.status(day)?.state == .mirrored) }
        try await testMirror.audit()
    }

    @Test(
        "A month in which nothing can be done is no matter of its own where nothing can be made in the root",
        .firmFolders, arguments: [false, true])
    func root(startsAnew: Bool) async throws {
        let testMirror = try TestMirror([Entry(today, bytes: 2_000)])
        _ = try testMirror.archive()
        var folder: ImmutableFolder? = try ImmutableFolder(testMirror.root)
        let (events, error) = try await testMirror.attempt(.days([today]))
        #expect(error?.isOfNetwork == false && events[today] == nil)
        #expect(try testMirror.status(today) == nil)
        _ = folder.take()
        if startsAnew {
            // What has come is not fetched again.
            try await testMirror.close()
            _ = try testMirror.archive()
            #expect(try testMirror.status(today)?.state == .mirrored)
        } else {
            #expect(try await testMirror.sync(.days([today]))[today] == "mirrored")
        }
    }
}
