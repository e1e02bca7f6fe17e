import Apod
import Syncing
import Testing

@testable import Daemon

struct DiskFullWaitTests {
    private func diskFull(free: Int) -> DiskFullWait? {
        DiskFullWait(Problem(.full, path: "/srv/apod", number: 1_000_000), free: free)
    }

    @Test(
        "A disk that was full has room again when clearly more is free, or twice as much of a little",
        arguments: [
            (0, 999_999, false), (0, 1_000_000, true), (10_000_000, 20_999_999, false), (10_000_000, 21_000_000, true),
            (500_000_000, 563_999_999, false), (500_000_000, 564_000_000, true),
        ])
    func isOver(before: Int, now: Int, isOver: Bool) throws {
        #expect(try #require(diskFull(free: before)).isOver(free: now) == isOver)
    }

    @Test("A disk that was full is told from other failures")
    func others() {
        #expect(DiskFullWait(nil, free: 0) == nil && DiskFullWait(Problem(.stopped), free: 0) == nil)
    }
}
