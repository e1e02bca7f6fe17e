package import Apod
package import Archive
package import Catalog
package import Configuration
internal import Favorites
internal import Files
internal import Upstream

/// What a sync would do. Changes nothing.
package struct SyncPreview: Sendable {
    package let since: Day
    /// Whether any day is to be mirrored at all.
    package let isWanted: Bool
    /// The days to ask for, oldest first.
    package let missing: [Day]
    /// Named days that are here already.
    package let again: Set<Day>
    /// The newest days here, which are looked at again.
    package let recheck: ClosedRange<Day>?
    package let pruning: PruneRound
    /// Days asked for by name that will not stay.
    package let unkept: [Day]

    /// The mirror's catalog or, without one, a catalog in memory made from the tree; nil without a root.
    package static func catalog(_ settings: Settings) throws(ArchiveError) -> Catalog? {
        if let catalog = try Archive.catalogToRead(root: settings.root, state: settings.state) {
            return catalog
        }
        return try ArchiveError.wrapping { () throws(StorageError) in
            try Archive.catalogOfTree(root: settings.root, state: settings.state)
        }
    }

    /// `catalog`: nil if nothing has been mirrored. `own`: the settings without the order. Throws a `StorageError` or a
    /// `SyncOrder.Mistake`.
    package init(
        _ own: Settings, _ catalog: Catalog?, _ order: SyncOrder = SyncOrder(), at now: Int
    ) throws {
        // Without a catalog there may be no root, and nothing to delete.
        let root = try catalog.map { _ in try Folder.open(own.root) }
        let catalog = try catalog ?? Catalog(insteadOf: own.root)
        let plan = try SyncPlan(order, own: own, catalog, at: now)
        let (settings, request) = (plan.settings, try plan.request())
        since = plan.since
        isWanted = request != nil
        let due = try request.map { try DueDays($0, catalog, settings, at: now) }
        let favorites = root.map { FavoritesSnapshot(at: $0, catalog).days } ?? []
        var missing = due?.days ?? []
        if plan.asksForFavorites {
            // Opening the mirror for a sync makes these days due.
            if let wanted = plan.wanted {
                missing.formUnion(
                    try catalog.due(in: wanted, failedSince: order.since ?? .first, byMaxFile: settings.maxFile))
            }
            missing.formUnion(try catalog.dueFavorites(at: now, and: favorites))
        }
        recheck = try catalog.newest().flatMap { newest in
            due?.head.flatMap { $0.lowerBound <= newest ? $0.lowerBound...min(newest, $0.upperBound) : nil }
        }
        self.missing = missing.sorted()
        again = try catalog.here(of: request?.named ?? [])
        let ownRange = MirrorRange(settings: own, catalog: catalog, now: now)
        unkept = try order.named(among: missing.subtracting(favorites).sorted()).filter { try !ownRange.keeps($0) }
        pruning =
            try root.map { try Self.pruning(settings, catalog, in: $0, at: now) { favorites } } ?? PruneRound()
    }

    package static func pruning(
        _ settings: Settings, _ catalog: Catalog, at now: Int
    ) throws -> PruneRound {
        let root = try Folder.open(settings.root)
        return try pruning(settings, catalog, in: root, at: now) { FavoritesSnapshot(at: root, catalog).days }
    }

    private static func pruning(
        _ settings: Settings, _ catalog: Catalog, in root: Folder, at now: Int, favorites: () -> Set<Day>
    ) throws(StorageError) -> PruneRound {
        try MirrorRange(settings: settings, catalog: catalog, now: now).pruning(in: root, favorites: favorites)
    }
}
