import Glibc

/// The clock on the wall, and waiting by it.
package protocol WallClock: Sendable {
    /// In seconds since 1970. It can be set, forwards and backwards.
    var now: Int { get }

    /// Returns when the clock shows the moment or a later one, and when it was set back: then it is for the caller to
    /// think anew. Throws when the task is cancelled.
    func wait(until moment: Int) async throws(CancellationError)
}

/// The system's clock. It is looked at again and again: it may be set, and the machine may sleep.
package struct SystemClock: WallClock {
    private static let longestNap = 60

    package init() {}

    package var now: Int { time(nil) }

    package func wait(until moment: Int) async throws(CancellationError) {
        var before = now
        while before < moment {
            try await sleep(for: .seconds(min(moment - before, Self.longestNap)))
            let after = now
            if after < before { return }
            before = after
        }
    }
}
