internal import Apod
internal import Archive
internal import Catalog
internal import Configuration
internal import Favorites
package import Files

extension MirrorRange {
    /// The plan by the settings and the favorites folder as they are at this moment. Changes nothing.
    package func pruning() throws(StorageError) -> PruneRound {
        let root = try Folder.open(settings.root)
        return try pruning(in: root) { FavoritesSnapshot(at: root, catalog).days }
    }

    /// `favorites`: also those in the folder that the catalog lacks.
    func pruning(in root: Folder, favorites: () -> Set<Day>) throws(StorageError) -> PruneRound {
        guard settings.keep != nil || settings.maxTotal != nil else { return PruneRound() }
        let (first, total) = (try firstKept(), try catalog.bytes())
        let replaced = try replaced(of: total, beside: first, in: root, favorites)
        let bytes = total - replaced.reduce(0) { $0 + $1.bytes }
        var round = PruneRound(replaced: replaced, total: total)
        let isTooMuch = settings.maxTotal.map { bytes > $0 } ?? false
        if isTooMuch || first != nil {
            let pruneCandidates = try PruneCandidates(
                in: root, catalog, before: isTooMuch ? nil : first, bytes: bytes, at: now)
            func surplus(sparing favorites: Set<Day> = []) -> [PruneCandidates.Candidate] {
                pruneCandidates.surplus(before: first, atMost: settings.maxTotal, sparing: favorites)
            }
            // `favorites` reads all links: only if days are to go.
            round.days = surplus().isEmpty ? [] : surplus(sparing: favorites())
        }
        if round.isEmpty { return round }
        round.hold = round.hold(
            by: settings, lastApplied: try catalog.fact(.retention),
            of: try catalog.countDaysWithFiles() + (catalog.fact(.replaced) ?? 0))
        return round
    }

    /// The former versions to delete if the total without the days before `first` exceeds `max-total`.
    private func replaced(
        of total: Int, beside first: Day?, in root: Folder, _ favorites: () -> Set<Day>
    ) throws(StorageError) -> [ReplacedFiles.Version] {
        // Without access to the folder, this can only be a preview.
        guard let limit = settings.maxTotal, total > limit, try catalog.fact(.replacedBytes) ?? 0 > 0,
            let own = try? root.folder(Tree.ownFolder)
        else { return [] }
        let known = favorites()
        let old = try first.map { first throws(StorageError) in
            try PruneCandidates(in: root, catalog, before: first, bytes: total, at: now)
                .surplus(before: first, atMost: nil, sparing: known).reduce(0) { $0 + $1.bytes }
        }
        return try ReplacedFiles(in: own).surplus(
            of: total - (old ?? 0), atMost: limit, before: try catalog.graceBegin(at: now)
        ) { day throws(StorageError) in
            let isProtected = try catalog.isProtected(day, at: now)
            return isProtected || known.contains(day)
        }
    }
}
