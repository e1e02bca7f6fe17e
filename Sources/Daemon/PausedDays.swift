internal import Apod
internal import Catalog
import Synchronization

/// Days whose pictures are not decoded for a while, as the decoder was killed over them or out of time.
final class PausedDays: Sendable {
    private let begun = Mutex<[Day: Int]>([:])

    func add(_ day: Day, at now: Int) { begun.withLock { $0[day] = now } }

    func contains(_ day: Day, at now: Int) -> Bool {
        begun.withLock { $0[day] }.map { RetryPolicy.pausesDecoding(since: $0, at: now) } ?? false
    }
}
