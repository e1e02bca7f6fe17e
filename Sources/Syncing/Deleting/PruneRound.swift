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
    /// All that may go would not reach `max-total`, so nothing goes by it.
    package var isOutOfReach = false
    /// The hold, if the plan waits for a person.
    package var hold: PruneHold?

    /// The bytes of the days.
    package var bytes: Int { days.reduce(0) { $0 + $1.bytes } }

    /// The bytes of the former versions.
    package var replacedBytes: Int { replaced.reduce(0) { $0 + $1.bytes } }

    package var isEmpty: Bool { days.isEmpty && replaced.isEmpty }
}

extension PruneRound {
    /// What goes by `keep`: all before `first`. Then, by `max-total`, as much as it takes: the files of versions that were
    /// replaced before a moment, then the oldest days. `days` and `former`: what may go, the oldest first.
    init(
        of days: [PruneCandidates.Candidate], _ former: [FormerVersion], total: Int, before first: Day?,
        atMost limit: Int?, replacedBefore moment: Int
    ) {
        func isOld(_ day: Day) -> Bool { first.map { day < $0 } ?? false }
        self.days = days.filter { isOld($0.day) }
        replaced = former.filter { isOld($0.day) }
        self.total = total
        guard let limit, left > limit else { return }
        var more = self
        for version in former where more.left > limit && !isOld(version.day) && version.replaced < moment {
            more.replaced.append(version)
        }
        for day in days where more.left > limit && !isOld(day.day) { more.days.append(day) }
        if more.left > limit { isOutOfReach = true } else { self = more }
    }

    /// What stays of the total.
    package var left: Int { (total ?? 0) - bytes - replacedBytes }

    /// nil for a plan that need not wait. `all`: the pictures that are here. `lastApplied`: see `Settings.retentionDigest`.
    func hold(by settings: Settings, lastApplied: Int?, of all: Int) -> PruneHold? {
        guard PruneHold.isNeeded(days.count, of: all, lastApplied != settings.retentionDigest) else { return nil }
        return PruneHold(
            rule: settings.retention, days: days.count, replaced: replaced.count, bytes: bytes + replacedBytes,
            range: days.first.flatMap { first in days.last.map { first.day...$0.day } })
    }
}
