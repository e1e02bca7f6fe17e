/// The pauses between failed attempts: each is twice as long as the one before, up to the longest.
package struct Backoff<Time: AdditiveArithmetic & Comparable & Sendable>: Sendable {
    private let first: Time
    private let longest: Time
    package private(set) var pause: Time

    /// `failures`: how many attempts have failed. A first pause that is longer than the longest stays as it is.
    package init(_ first: Time, atMost longest: Time, after failures: Int = 1) {
        self.first = first
        self.longest = max(first, longest)
        pause = first
        // 64 doublings reach the longest pause.
        for _ in 1..<max(1, min(failures, 64)) { grow() }
    }

    package mutating func grow() { pause = min(pause + pause, longest) }

    /// The pause before the next attempt; the one after that is longer.
    package mutating func next() -> Time {
        defer { grow() }
        return pause
    }

    /// Starts over after a success.
    package mutating func reset() { pause = first }
}
