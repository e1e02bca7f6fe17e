internal import Apod
internal import Archive
internal import Catalog
internal import Configuration
internal import Favorites
package import Files

extension MirrorRange {
    /// The plan by the settings and the favorites folder as they are at this moment. Changes nothing.
    package func pruning() throws(StorageError) -> PruneRound { try pruning(in: try Folder.open(settings.root)) }

    func pruning(in root: Folder) throws(StorageError) -> PruneRound {
        guard settings.keep != nil || settings.maxTotal != nil else { return PruneRound() }
        let (first, total) = (try firstKept(), try catalog.bytes())
        let isTooMuch = settings.maxTotal.map { total > $0 } ?? false
        guard first != nil || isTooMuch else { return PruneRound(total: total) }
        let latest = try Tree.newestImage(in: root, by: catalog)?.stored.name.day ?? .last
        let files = try catalog.pruneCandidates(
            before: isTooMuch ? latest : min(first!, latest), sparing: try protected())
        let former = try catalog.versionsWithFiles()
        let began = try catalog.believed(now) - KnownFavorites.grace
        func plan(sparing favorites: Set<Day>) -> PruneRound {
            PruneRound(
                of: files.filter { !favorites.contains($0.day) }, former.filter { !favorites.contains($0.day) },
                total: total, before: first, atMost: settings.maxTotal, replacedBefore: began)
        }
        var round = plan(sparing: try protected())
        if round.isEmpty { return round }
        // All links are read only if something is to go.
        let present = try favorites.now(in: root, catalog).days
        round = plan(sparing: try protected().union(present))
        round.hold = round.hold(
            by: settings, lastApplied: try catalog.fact(.retention), of: try catalog.countDaysWithFiles())
        return round
    }

    /// Those of other lists' pictures that no favorite keeps, in the history or only in the folder yet.
    func unprotected(_ items: [StoredDay]) throws(StorageError) -> [StoredDay] {
        let (known, now) = (favorites.known, try catalog.believed(now))
        let others = items.filter { !known.isProtected(Subject($0.name), at: now) }
        if others.isEmpty { return [] }
        let present = try favorites.now(in: Folder.open(settings.root), catalog)
        return others.filter { !present.isFavorite(Subject($0.name)) }
    }
}
