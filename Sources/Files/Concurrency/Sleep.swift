import Glibc
import Synchronization

/// Returns when the time is over; throws when the task is cancelled.
package func sleep(for duration: Duration) async throws(CancellationError) {
    let id = Sleepers.shared.newNumber()
    let isOver = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            Sleepers.shared.begin(id, lasting: duration, continuation)
            if Task.isCancelled { Sleepers.shared.end(id) }
        }
    } onCancel: {
        Sleepers.shared.end(id)
    }
    if !isOver { throw CancellationError() }
}

package func sleep(until instant: ContinuousClock.Instant) async throws(CancellationError) {
    try await sleep(for: instant - .now)
}

/// The sleeping tasks, and the thread that wakes them.
private final class Sleepers: Sendable {
    struct Sleeper {
        let end: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    static let shared = Sleepers()

    private let sleepers = Monitor<[Int: Sleeper]>([:])
    private let number = Atomic(0)

    private init() {
        startThread { [sleepers] in
            while true {
                let over = sleepers.waitAndTake(until: { $0.values.map(\.end).min() }, Self.takeOver)
                for sleep in over { sleep.continuation.resume(returning: true) }
            }
        }
    }

    private static func takeOver(_ sleepers: inout [Int: Sleeper]) -> [Sleeper]? {
        let now = monotonicNow()
        let over = sleepers.filter { $0.value.end <= now }
        for id in over.keys { sleepers[id] = nil }
        return over.isEmpty ? nil : Array(over.values)
    }

    func newNumber() -> Int { number.add(1, ordering: .relaxed).newValue }

    func begin(_ id: Int, lasting duration: Duration, _ continuation: CheckedContinuation<Bool, Never>) {
        let nanoseconds = min(max(duration / .nanoseconds(1), 0), 1e18)
        sleepers.change { $0[id] = Sleeper(end: monotonicNow() + Int(nanoseconds), continuation: continuation) }
    }

    func end(_ id: Int) {
        let sleep = sleepers.change { $0.removeValue(forKey: id) }
        sleep?.continuation.resume(returning: false)
    }
}
