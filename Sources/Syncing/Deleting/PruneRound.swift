package import Apod
package import Archive
package import Catalog
internal import Configuration

/// The days whose files are to be deleted, or were.
package struct PruneRound: Sendable {
    /// Oldest first.
    package var days: [PruneCandidates.Candidate] = []
    /// What was replaced long ago; it goes first.
    package var replaced: [ReplacedFiles.Version] = []
    /// Days that stay though they should go: their JSON cannot be read, and would have to tell of them alone.
    package var left: [Day] = []
    /// Days that stay though they should go, and why nothing can be done in their months.
    package var refused: [(day: Day, why: Failure)] = []
    /// The bytes of all files and all JSON before; nil where nobody had to know.
    package var total: Int?
    /// How many days had files before; known where any is to go.
    package var there = 0
    /// Why nothing goes before somebody says so, though something is to go.
    package var hold: PruneHold?

    package var bytes: Int { days.reduce(0) { $0 + $1.bytes } }

    /// So much of all goes that it may be a mistake; small numbers are not held for all that.
    package var isMuch: Bool { PruneHold.isMuch(days.count, of: there) }
}

extension PruneRound {
    /// What holds it back; nil for a small one.
    func hold(by settings: Settings) -> PruneHold? {
        guard PruneHold.isLarge(days.count, of: there), let first = days.first, let last = days.last else { return nil }
        return PruneHold(
            rule: settings.retention, days: days.count, bytes: bytes, oldest: first.day, newest: last.day)
    }
}
