internal import Syncing

/// A disk that had no room for what was to come. Whether there is more now is seen without asking anybody else.
struct DiskFullWait: Sendable {
    /// In seconds.
    static let look = 60
    private static let step = 64_000_000

    /// In bytes, when it was too little.
    let free: Int

    init?(_ error: RefreshError?, free: Int) {
        guard let error, error.isFull else { return nil }
        self.free = free
    }

    /// Some is freed and taken all the time: it must be clearly more.
    func isOver(free: Int) -> Bool { free >= self.free + Self.step || free >= 2 * self.free + 1_000_000 }
}
