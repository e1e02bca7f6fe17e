import Testing

@testable import Service

@Suite("A disk that was full")
struct FullnessTests {
    private func fullness(free: Int) -> Fullness? {
        Fullness(.noRoom(root: "/srv/apod", free: free, floor: 1_000_000), free: free)
    }

    @Test(
        "has room again when clearly more is free, or twice as much of a little",
        arguments: [
            (0, 999_999, false), (0, 1_000_000, true), (10_000_000, 20_999_999, false), (10_000_000, 21_000_000, true),
            (500_000_000, 563_999_999, false), (500_000_000, 564_000_000, true),
        ])
    func isOver(before: Int, now: Int, isOver: Bool) throws {
        #expect(try #require(fullness(free: before)).isOver(free: now) == isOver)
    }

    @Test("is told from other failures")
    func others() {
        #expect(Fullness(nil, free: 0) == nil && Fullness(.cancelled, free: 0) == nil)
    }
}
