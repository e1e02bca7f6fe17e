import Glibc

/// The wall clock, and waiting by it.
package protocol WallClock: Sendable {
    /// Seconds since 1970. The clock can be set, forwards and backwards.
    var now: Int { get }

    /// Returns when the clock shows the moment or a later one, and when it was set back: then the caller decides anew.
    /// Throws when the task is cancelled.
    func wait(until moment: Int) async throws(CancellationError)
}

extension WallClock {
    /// The clock is read at least once a minute: it may be set, and the machine may sleep.
    package func wait(until moment: Int) async throws(CancellationError) {
        let longestNap = 60
        var before = now
        while before < moment {
            try await sleep(for: .seconds(min(moment - before, longestNap)))
            let after = now
            if after < before { return }
            before = after
        }
    }
}

package struct SystemClock: WallClock {
    package init() {}

    package var now: Int { time(nil) }
}
