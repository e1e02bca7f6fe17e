internal import Concurrency
import Synchronization

/// Disks that are mounted within a folder. Some answer only when another machine does: what is not known to answer is not
/// waited for.
package enum MountedDisks {
    private static let questions = TimedCalls<UInt>(limit: .seconds(2)) {
        for tell in listeners.withLock({ Array($0.values) }) { tell() }
    }
    private static let listeners = Mutex<[Int: @Sendable () -> Void]>([:])

    /// What `work` on a disk returns; nil if that does not answer. Those mounted at `others`, which somebody is likely to
    /// want next, are asked at the same time if that takes long: for all that do not answer, there is one wait.
    static func answer<Value: Sendable>(
        of device: UInt, before others: () -> [FileSystem.Mount],
        to work: @escaping @Sendable () -> Result<Value, DiskError>
    ) -> Result<Value, DiskError>? {
        questions.answer(
            of: device, where: { $0 == device }, isAnswer: \.isAnswer, whenSlow: { askAhead(others()) }, to: work)
    }

    private static func askAhead(_ mounts: [FileSystem.Mount]) {
        questions.askAhead(
            // What is mounted on demand is not, for this.
            mounts.filter { $0.kind != "autofs" }.map { mount in
                let work: @Sendable () -> Bool = {
                    Result { () throws(DiskError) in try Folder.open(mount.path).askDisk() }.isAnswer
                }
                return (mount.device, work)
            })
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

extension Result where Failure == DiskError {
    /// The disk itself has answered: only the system tells of one that is away.
    var isAnswer: Bool { if case .failure(let error) = self { !error.isAway } else { true } }
}
