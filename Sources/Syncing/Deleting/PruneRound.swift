package import Apod
package import Archive
package import Catalog
internal import Configuration

/// A round of retention: what is to be deleted, or what was.
package struct PruneRound: Sendable {
    /// The days whose files go, oldest first.
    package var days: [PruneCandidates.Candidate] = []
    /// Files replaced long ago, which go first.
    package var replaced: [ReplacedFiles.Version] = []
    /// Days that stay because their files cannot be deleted or their JSON cannot be read, and why.
    package var refused: [(day: Day, why: Failure)] = []
    /// The bytes of all files and JSON before; nil if not counted.
    package var total: Int?
    /// How many days had files before; 0 if none is to go.
    package var there = 0
    /// The hold, if the round waits for a person.
    package var hold: PruneHold?

    package var bytes: Int { days.reduce(0) { $0 + $1.bytes } }
}

extension PruneRound {
    /// nil for a small round.
    func hold(by settings: Settings) -> PruneHold? {
        guard days.count > 30, days.count * 10 > there, let first = days.first, let last = days.last else { return nil }
        return PruneHold(
            rule: settings.retention, days: days.count, bytes: bytes, oldest: first.day, newest: last.day)
    }
}
