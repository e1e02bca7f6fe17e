import Files
import Glibc
import Synchronization

/// Threads for answers that take long, so that the others are not held up by them. They end when nothing waits.
final class SlowWork: Sendable {
    private struct State {
        var threads = 0
        var waiting: [@Sendable () -> Void] = []
        /// Answers that wait, and those that are being made.
        var underWay = 0
    }

    private let state = Mutex(State())
    private static let mostThreads = 2
    private static let mostUnderWay = 32

    /// False if too much is under way.
    func begin(_ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, isNew) = state.withLock { state in
            guard state.underWay < Self.mostUnderWay else { return (false, false) }
            state.underWay += 1
            state.waiting.append(work)
            guard state.threads < Self.mostThreads else { return (true, false) }
            state.threads += 1
            return (true, true)
        }
        if isNew { startThread { while let work = self.next() { self.finish(work) } } }
        return isTaken
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.threads -= 1
            return nil
        }
    }

    private func finish(_ work: @Sendable () -> Void) {
        work()
        state.withLock { $0.underWay -= 1 }
    }

    /// Waits until nothing is under way: libmicrohttpd cannot be stopped while a connection waits.
    func wait() { while state.withLock({ $0.threads > 0 }) { usleep(10_000) } }
}
