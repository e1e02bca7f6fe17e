import Apod
import Archive
import Catalog
import Concurrency
import Configuration
import Glibc
import Syncing

/// `sync --dry-run` and `prune --dry-run`: only reads, so it works beside a running service, too.
struct DryRun {
    private let settings: Settings
    /// nil for `prune`.
    private let sync: SyncOrder?

    private var order: SyncOrder { sync ?? SyncOrder() }
    private var mostDays: Int { sync == nil ? .max : 20 }

    init(_ settings: Settings, _ sync: SyncOrder? = nil) {
        self.settings = settings
        self.sync = sync
    }

    func run() throws(Usage.Mistake) -> ExitStatus {
        let preview: SyncPreview
        do {
            try Archive.checkVisible(root: settings.root, state: settings.state)
            if KnownRoots(environment: Environment.current).haveLost(settings.root) {
                throw ArchiveError.away(root: settings.root)
            }
            preview = try SyncPreview(settings, SyncPreview.catalog(settings), order, at: time(nil))
        } catch let mistake as SyncOrder.Mistake {
            throw .init(mistake.description)
        } catch {
            Terminal.complain(error, in: settings)
            return .incomplete
        }
        if sync != nil { tell(of: preview) }
        tell(of: preview.pruning)
        if !preview.unkept.isEmpty { Terminal.print(settings.words(forUnkept: preview.unkept)) }
        return .done
    }

    private func tell(of preview: SyncPreview) {
        let today = NewYork.day(at: time(nil))
        let published = preview.missing.filter { $0 < today && !preview.again.contains($0) }
        let open = Day.names(preview.missing.filter { $0 >= today && !preview.again.contains($0) }, atMost: 3)
        if let first = published.first, let last = published.last {
            let more = open.isEmpty ? "" : ", and \(open) if it is published"
            let extent = Day.extent(of: published.count, first, last)
            Terminal.print("\(Day.count(published.count)) to fetch, \(extent)\(more)")
        } else if !preview.isWanted {
            Terminal.print(order.nothing(since: preview.since, today: today))
        } else if preview.again.isEmpty || !open.isEmpty {
            Terminal.print("nothing to fetch" + (open.isEmpty ? "" : " but \(open), if it is published"))
        }
        if !preview.again.isEmpty {
            let names = Day.names(preview.again.sorted(), atMost: 3)
            Terminal.print("\(names) \(preview.again.count == 1 ? "is" : "are") here, and looked at again")
        }
        guard let days = preview.recheck else { return }
        let isOne = days.lowerBound == days.upperBound
        let subject = isOne ? "\(days.lowerBound) is" : "the days from \(days.lowerBound) to \(days.upperBound) are"
        Terminal.print("\(subject) looked at again for corrections")
    }

    private func tell(of pruning: PruneRound) {
        let freed = pruning.replaced.reduce(0) { $0 + $1.bytes }
        if freed > 0 { Terminal.print("\(Size.text(freed)) to delete of what was replaced more than 90 days ago") }
        guard let first = pruning.days.first, let last = pruning.days.last else {
            return Terminal.print("nothing to delete: \(reason(pruning))")
        }
        let extent = Day.extent(of: pruning.days.count, first.day, last.day)
        Terminal.print("\(Day.count(pruning.days.count)) to delete, \(extent), \(Size.text(pruning.bytes)):")
        for candidate in pruning.days.prefix(mostDays) {
            Terminal.print("  \(candidate.day)  \(Text.shown(candidate.title)) (\(Size.text(candidate.bytes)))")
        }
        let more = pruning.days.count - mostDays
        if more > 0 { Terminal.print("  and \(more) more") }
        if let excess = excess(pruning) { Terminal.print(excess) }
        if pruning.hold != nil, sync != nil {
            Terminal.print("as these are so many, they stay until you say `apod-mirror prune`")
        }
    }

    private func reason(_ pruning: PruneRound) -> String {
        if order.isByName { return "only these days are asked for" }
        if settings.keep == nil, settings.maxTotal == nil { return "keep is forever, and max-total none" }
        if let excess = excess(pruning) { return excess }
        var reasons: [String] = []
        if let keep = settings.keep { reasons.append("no picture that may be deleted is older than \(keep) (keep)") }
        if let limit = settings.maxTotal {
            reasons.append("\(Size.text(pruning.total ?? 0)) are within \(Size.text(limit)) (max-total)")
        }
        return reasons.joined(separator: ", and ")
    }

    /// Says that what stays exceeds `max-total`; nil if it does not.
    private func excess(_ pruning: PruneRound) -> String? {
        guard let limit = settings.maxTotal, let total = pruning.total, total - pruning.bytes > limit else {
            return nil
        }
        let left = Size.text(total - pruning.bytes)
        return "favorites, the newest picture and JSON take up \(left), more than \(Size.text(limit)) (max-total)"
    }
}
