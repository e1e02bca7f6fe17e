import Glibc
import Synchronization

/// Returns when the time is over; throws when the task is cancelled.
package func nap(for duration: Duration) async throws(CancellationError) {
    let id = Naps.shared.newNumber()
    let isOver = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            Naps.shared.begin(id, lasting: duration, continuation)
            if Task.isCancelled { Naps.shared.end(id) }
        }
    } onCancel: {
        Naps.shared.end(id)
    }
    if !isOver { throw CancellationError() }
}

package func nap(until instant: ContinuousClock.Instant) async throws(CancellationError) {
    try await nap(for: instant - .now)
}

/// Who waits for a time to be over, and the thread that wakes them.
private final class Naps: Sendable {
    struct Nap {
        let end: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    static let shared = Naps()

    private let naps = Signalled<[Int: Nap]>([:])
    private let number = Atomic(0)

    private init() {
        startThread { [naps] in
            while true {
                let over = naps.waitAndTake(until: { $0.values.map(\.end).min() }, Self.takeOver)
                for nap in over { nap.continuation.resume(returning: true) }
            }
        }
    }

    private static func takeOver(_ naps: inout [Int: Nap]) -> [Nap]? {
        let now = monotonicNow()
        let over = naps.filter { $0.value.end <= now }
        for id in over.keys { naps[id] = nil }
        return over.isEmpty ? nil : Array(over.values)
    }

    func newNumber() -> Int { number.add(1, ordering: .relaxed).newValue }

    func begin(_ id: Int, lasting duration: Duration, _ continuation: CheckedContinuation<Bool, Never>) {
        let nanoseconds = min(max(duration / .nanoseconds(1), 0), 1e18)
        naps.change { $0[id] = Nap(end: monotonicNow() + Int(nanoseconds), continuation: continuation) }
    }

    func end(_ id: Int) {
        let nap = naps.change { $0.removeValue(forKey: id) }
        nap?.continuation.resume(returning: false)
    }
}
