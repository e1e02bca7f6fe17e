package import Apod
package import Archive
package import Catalog
package import Concurrency
package import Configuration
internal import Favorites
internal import Files

/// What a sync would do, found out without doing anything.
package struct SyncPreview: Sendable {
    /// The days to ask for, in order. The newest are looked at again besides.
    package let missing: [Day]
    package let pruning: PruneRound

    /// `catalog` is nil where nothing has been mirrored. `settings`: those that the order is applied to.
    package init(
        _ settings: Settings, _ catalog: Catalog?, _ order: SyncOrder = SyncOrder(), at now: Int, _ uptime: Uptime
    ) throws(ArchiveError) {
        let (days, until) = (order.days, order.until)
        let today = Day(utc: now)
        let last = min(until ?? today, today)
        guard let catalog else {
            missing = days.isEmpty ? Self.missingAtFirst(settings, until: last, today) : days.sorted()
            pruning = PruneRound()
            return
        }
        let mirrorRange = MirrorRange(settings: settings, catalog: catalog, now: now)
        let root = try ArchiveError.wrapping { () throws(DiskError) in try Folder.open(settings.root) }
        missing = try ArchiveError.wrapping { () throws(CatalogError) in
            guard days.isEmpty else { return days.sorted() }
            let wanted = try mirrorRange.wanted(until: last).map { range throws(CatalogError) in
                try catalog.due(in: range, failedSince: order.since ?? .first, at: now)
            }
            return try (wanted ?? []).union(catalog.dueFavorites(at: now)).sorted()
        }
        var pruning = try mirrorRange.pruning(in: root) { FavoritesSnapshot(at: root, catalog).days }
        pruning.hold = try ArchiveError.wrapping { () throws(CatalogError) in
            let hold = PruneHold.of(pruning, by: settings, after: try catalog.hold(), at: now, uptime)
            return hold?.isOver == true ? nil : hold
        }
        self.pruning = pruning
    }

    private static func missingAtFirst(_ settings: Settings, until last: Day, _ today: Day) -> [Day] {
        let since = min(settings.since ?? today.advanced(by: -Settings.daysAtFirst), last)
        return Array(max(since, settings.keep.map(last.before) ?? since)...last)
    }
}
