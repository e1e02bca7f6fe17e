package import Apod
package import Catalog
internal import Configuration

/// One plan of deletion, or what was done of it. All that deletes a published file carries out such a plan
/// (`Retention`), and it may wait for a person (`PruneHold`).
package struct PruneRound: Sendable {
    /// The days whose files go, oldest first.
    package var days: [PruneCandidates.Candidate] = []
    /// Former versions, replaced long ago, which go first.
    package var replaced: [FormerVersion] = []
    /// Days that stay because their files cannot be deleted or their JSON cannot be read, and why.
    package var refused: [(day: Day, why: Failure)] = []
    /// The bytes of all files and JSON before; nil if not counted.
    package var total: Int?
    /// The hold, if the plan waits for a person.
    package var hold: PruneHold?

    /// The bytes of the days.
    package var bytes: Int { days.reduce(0) { $0 + $1.bytes } }

    /// The bytes of the former versions.
    package var replacedBytes: Int { replaced.reduce(0) { $0 + $1.bytes } }

    package var isEmpty: Bool { days.isEmpty && replaced.isEmpty }
}

extension PruneRound {
    /// nil for a plan that need not wait. `all`: pictures and former versions. `lastApplied`: see
    /// `Settings.retentionDigest`.
    func hold(by settings: Settings, lastApplied: Int?, of all: Int) -> PruneHold? {
        let count = days.count + replaced.count
        guard PruneHold.isNeeded(count, of: all, lastApplied != settings.retentionDigest) else { return nil }
        return PruneHold(
            rule: settings.retention, days: days.count, replaced: replaced.count, bytes: bytes + replacedBytes,
            range: days.first.flatMap { first in days.last.map { first.day...$0.day } })
    }
}
