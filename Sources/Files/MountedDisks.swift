internal import Concurrency
import Synchronization

/// Disks that are mounted within a folder. Some answer only when another machine does: what is not known to answer is not
/// waited for.
package enum MountedDisks {
    private static let questions = TimedCalls<UInt>(limit: .seconds(2)) {
        for tell in listeners.withLock({ Array($0.values) }) { tell() }
    }
    private static let listeners = Mutex<[Int: @Sendable () -> Void]>([:])

    /// A disk that somebody is likely to want next; `work` returns whether it has answered.
    typealias Other = (whom: UInt, work: @Sendable () -> Bool)

    /// What `work` on a disk returns; nil if that does not answer. The `others` are asked at the same time if that takes
    /// long: for all that do not answer, there is one wait.
    static func answer<Value: Sendable>(
        of device: UInt, before others: () -> [Other], to work: @escaping @Sendable () -> Result<Value, StorageError>
    ) -> Result<Value, StorageError>? {
        questions.answer(
            of: device, where: { $0 == device }, isAnswer: \.isAnswer, whenSlow: { questions.askAhead(others()) },
            to: work)
    }

    /// `tell` is called each time one answers that had not, until `stopTelling` with the number that is returned.
    package static func whenBack(_ tell: @escaping @Sendable () -> Void) -> Int {
        listeners.withLock { listeners in
            let number = (listeners.keys.max() ?? 0) + 1
            listeners[number] = tell
            return number
        }
    }

    package static func stopTelling(_ number: Int) { listeners.withLock { $0[number] = nil } }
}

extension Result where Failure == StorageError {
    /// The disk itself has answered: only the system tells of one that is away.
    var isAnswer: Bool { if case .failure(let error) = self { !error.isAway } else { true } }
}
