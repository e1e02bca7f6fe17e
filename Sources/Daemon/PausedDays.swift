internal import Apod
import Synchronization

/// Days whose pictures are left alone for a while. The decoder was killed over them: where memory is short, trying them
/// again with every day that comes would keep the machine busy.
final class PausedDays: Sendable {
    /// In seconds.
    static let pause = 3600

    private let begun = Mutex<[Day: Int]>([:])

    func add(_ day: Day, at now: Int) { begun.withLock { $0[day] = now } }

    /// Not when the clock was set back.
    func contains(_ day: Day, at now: Int) -> Bool {
        begun.withLock { $0[day] }.map { ($0..<$0 + Self.pause).contains(now) } ?? false
    }
}
