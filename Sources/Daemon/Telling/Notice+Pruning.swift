internal import Apod
internal import Archive
internal import Catalog
internal import Syncing

extension PruneRound {
    /// What was deleted, and what could not be.
    package var notices: [Notice] {
        let done = days.last.map { last in
            Notice(.pruned, "deleted the pictures of \(Day.count(days.count)), \(Size.text(bytes))", day: last.day)
        }
        let old = replaced.last.map { last in
            let what = replaced.count == 1 ? "what was replaced of 1 day" : "what was replaced \(replaced.count) times"
            return Notice(
                .pruned, "deleted \(what), \(Size.text(replacedBytes))", day: last.day)
        }
        return [old, done].compactMap(\.self) + refusals
    }

    /// One notice for each month and reason.
    private var refusals: [Notice] {
        let reasons = Dictionary(grouping: refused) { [$0.day.folder, "\($0.why.number ?? 0)"] }
        return reasons.values.sorted { $0[0].day < $1[0].day }.map { days in
            let count = days.count == 1 ? "1 day stays that is" : "\(days.count) days stay that are"
            return Notice(.noted, "\(count) to be deleted: \(days[0].why.words)", day: days[0].day, of: days[0].why)
        }
    }
}
