package import Apod
package import Archive
package import Catalog
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
    /// Those of them that were named and are here.
    package let again: Set<Day>
    /// Any of them is not here yet.
    package let fetchesMore: Bool
    /// Days that are here and looked at again.
    package let recheck: ClosedRange<Day>?
    package let pruning: PruneRound
    /// Days asked for by name that will not stay.
    package let unkept: [Day]

    /// What is known of a mirror, or will be as soon as its catalog is made again; nil where there is none.
    package static func catalog(_ settings: Settings) throws(ArchiveError) -> Catalog? {
        if let catalog = try Archive.catalogToRead(root: settings.root, state: settings.state) {
            return catalog
        }
        return try ArchiveError.wrapping { () throws(StorageError) in
            try Archive.catalogOfTree(root: settings.root, state: settings.state)
        }
    }

    /// `catalog` is nil where nothing has been mirrored. `own`: the settings without the order. Throws an `ArchiveError`
    /// or a `SyncOrder.Mistake`.
    package init(
        _ own: Settings, _ catalog: Catalog?, _ order: SyncOrder = SyncOrder(), at now: Int
    ) throws {
        // Where nothing has been mirrored, nothing is known, and nothing can be deleted.
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
            // A sync begins by noting what `max-file` leaves out now.
            if let wanted = plan.wanted {
                missing.formUnion(
                    try catalog.due(in: wanted, failedSince: order.since ?? .first, byMaxFile: settings.maxFile))
            }
            missing.formUnion(try catalog.dueFavorites(at: now, and: favorites))
        }
        recheck = try catalog.newest().flatMap { newest in
            due?.head.flatMap { $0.lowerBound <= newest ? $0.lowerBound...min(newest, $0.upperBound) : nil }
        }
        var damaged: [Day] = []
        if let recheck, let root { damaged = try Self.damaged(in: recheck, catalog, root) }
        fetchesMore = !missing.subtracting(damaged).isEmpty
        missing.formUnion(damaged)
        self.missing = missing.sorted()
        again = try catalog.here(of: request?.named ?? [])
        let ownRange = MirrorRange(settings: own, catalog: catalog, now: now)
        unkept = try order.named(among: missing.subtracting(favorites).sorted()).filter { try !ownRange.keeps($0) }
        pruning =
            try root.map { try Self.pruning(settings, catalog, in: $0, at: now) { favorites } } ?? PruneRound()
    }

    /// Those of the days that are looked at again whose files have been deleted or changed.
    private static func damaged(
        in range: ClosedRange<Day>, _ catalog: Catalog, _ root: Folder
    ) throws(StorageError) -> [Day] {
        var damaged: [Day] = []
        for day in range {
            guard let stored = try catalog.status(of: day)?.whole else { continue }
            do throws(StorageError) {
                if try Tree.lacksFiles(of: stored, in: root) { damaged.append(day) }
            } catch {
                // Nothing is fetched into a month that cannot be looked into.
                guard error.isAboutPlace else { throw error }
            }
        }
        return damaged
    }

    /// What the settings are about to delete, and nothing else.
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
