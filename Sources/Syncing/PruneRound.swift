package import Apod
package import Catalog
internal import Concurrency
internal import Configuration

/// The days whose files are to be deleted, or were.
package struct PruneRound: Sendable {
    /// Oldest first.
    package var days: [PruneCandidates.Candidate] = []
    /// Days that stay though they should go: their JSON cannot be read, and would have to tell of them alone.
    package var left: [Day] = []
    /// Days that stay though they should go, and why nothing can be done in their months.
    package var refused: [(day: Day, why: String)] = []
    /// The bytes of all files and all JSON before; nil where nobody had to know.
    package var total: Int?
    /// How many days had files before; known where any is to go.
    package var there = 0
    /// Why nothing goes now, though something is to go.
    package var hold: PruneHold?

    package var bytes: Int { days.reduce(0) { $0 + $1.bytes } }

    /// So much of all goes that it may be a mistake; small numbers are not held for all that.
    package var isMuch: Bool { PruneHold.isMuch(days.count, of: there) }
}

extension PruneRound {
    /// What holds it back, or did before it had waited for long enough; nil for a small one. `before`: what held one back
    /// the last time. `reached`: as for `PruneHold.counted`.
    ///
    /// It waits anew when it is about much more than what was told, or is asked for by other settings: so long is the time
    /// to notice any mistake.
    func hold(
        by settings: Settings, after before: PruneHold?, at now: Int, _ uptime: Uptime, reached: Int = 0
    ) -> PruneHold? {
        guard PruneHold.isLarge(days.count, of: there), let first = days.first, let last = days.last else { return nil }
        guard let before, before.rule == settings.retention,
            !PruneHold.isLarge(days.count - before.days, of: there)
        else {
            return PruneHold(
                since: now, counted: uptime, end: now + PruneHold.length, rule: settings.retention, days: days.count,
                bytes: bytes, oldest: first.day, newest: last.day)
        }
        var hold = before.counted(at: now, uptime, reached: reached)
        // A day more each day is what small rounds are about; many such days are more than what was told.
        if days.count <= before.days {
            (hold.days, hold.bytes, hold.oldest, hold.newest) = (days.count, bytes, first.day, last.day)
        }
        return hold
    }

    /// With what holds it back, unless it has waited for long enough.
    func held(by hold: PruneHold?) -> PruneRound {
        var round = self
        round.hold = hold?.isOver == true ? nil : hold
        return round
    }
}
