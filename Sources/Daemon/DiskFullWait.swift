internal import Syncing

/// A disk that was full. Whether it has room again is seen without asking the upstream.
struct DiskFullWait: Sendable {
    /// Seconds between two looks at the disk.
    static let look = 60
    private static let step = 64_000_000

    /// Free bytes when the disk was full.
    let free: Int

    init?(_ error: RefreshError?, free: Int) {
        guard let error, error.isFull else { return nil }
        self.free = free
    }

    /// Other programs free and take a little all the time: it must be clearly more.
    func isOver(free: Int) -> Bool { free >= self.free + Self.step || free >= 2 * self.free + 1_000_000 }
}
