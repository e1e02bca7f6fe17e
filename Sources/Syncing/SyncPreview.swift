package import Apod
package import Archive
package import Catalog
package import Concurrency
package import Configuration
internal import Favorites
internal import Files
internal import Upstream

/// What a sync would do, found out without doing anything.
package struct SyncPreview: Sendable {
    /// The first day to mirror.
    package let since: Day
    /// Whether any day is to be mirrored at all.
    package let isWanted: Bool
    /// The days to ask for, in order.
    package let missing: [Day]
    /// Days that are here and looked at again.
    package let recheck: ClosedRange<Day>?
    package let pruning: PruneRound

    /// What is known of a mirror, or will be as soon as its catalog is made again; nil where there is none.
    package static func catalog(_ settings: Settings) throws(ArchiveError) -> Catalog? {
        if let catalog = try Archive.catalogToRead(root: settings.root, state: settings.state) { return catalog }
        return try Archive.catalogOfTree(root: settings.root, state: settings.state) { try? Picture(record: $0) }
    }

    /// `catalog` is nil where nothing has been mirrored. `settings`: those that the order is applied to.
    package init(
        _ settings: Settings, _ catalog: Catalog?, _ order: SyncOrder = SyncOrder(), at now: Int, _ uptime: Uptime
    ) throws(ArchiveError) {
        let today = Day(utc: now)
        let last = min(order.until ?? today, today)
        guard let catalog else {
            since = settings.since ?? today.advanced(by: -Settings.daysAtFirst)
            let first = min(since, last)
            let wanted = max(first, settings.keep.map(last.before) ?? first)...last
            missing = order.days.isEmpty ? Array(wanted) : order.days.sorted()
            (isWanted, recheck, pruning) = (true, nil, PruneRound())
            return
        }
        let mirrorRange = MirrorRange(settings: settings, catalog: catalog, now: now)
        let root = try ArchiveError.wrapping { () throws(DiskError) in try Folder.open(settings.root) }
        let favorites = FavoritesSnapshot(at: root, catalog).days
        let wanted: ClosedRange<Day>?
        (since, wanted, missing) = try ArchiveError.wrapping { () throws(CatalogError) in
            let (since, wanted) = (try mirrorRange.since(), try mirrorRange.wanted(until: last))
            guard order.days.isEmpty else { return (since, wanted, order.days.sorted()) }
            let due = try wanted.map { range throws(CatalogError) in
                let first = order.since ?? .first
                return try catalog.due(in: range, failedSince: first, at: now)
                    .union(try catalog.due(in: range, failedSince: first, byMaxFile: settings.maxFile))
            }
            return (since, wanted, try catalog.dueFavorites(at: now, and: favorites).union(due ?? []).sorted())
        }
        isWanted = wanted != nil || !order.days.isEmpty
        let newest = try ArchiveError.wrapping { () throws(CatalogError) in try catalog.newest() }
        recheck = order.days.isEmpty ? Self.recheck(wanted, newest, settings) : nil
        var pruning = try mirrorRange.pruning(in: root) { favorites }
        pruning.hold = try ArchiveError.wrapping { () throws(CatalogError) in
            let hold = PruneHold.of(pruning, by: settings, after: try catalog.hold(), at: now, uptime)
            return hold?.isOver == true ? nil : hold
        }
        self.pruning = pruning
    }

    private static func recheck(
        _ wanted: ClosedRange<Day>?, _ newest: Day?, _ settings: Settings
    ) -> ClosedRange<Day>? {
        guard let wanted, let newest else { return nil }
        let head = Refresh.head(of: wanted, newest: newest, settings)
        return head.lowerBound <= newest ? head.lowerBound...min(newest, head.upperBound) : nil
    }
}
