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
        guard first != nil || settings.maxTotal.map({ total > $0 }) ?? false else { return PruneRound(total: total) }
        // All links are read only if something is to go.
        var read: Set<Day>?
        func present() throws(StorageError) -> Set<Day> {
            let days = if let read { read } else { try FavoritesSnapshot(at: root, favorites, catalog).subjects.days }
            read = days
            return days
        }
        let protected = try protected()
        func surplus(of bytes: Int, atMost limit: Int?) throws(StorageError) -> [PruneCandidates.Candidate] {
            let isTooMuch = limit.map { bytes > $0 } ?? false
            guard isTooMuch || first != nil else { return [] }
            let candidates = PruneCandidates(
                candidates: try catalog.pruneCandidates(before: isTooMuch ? nil : first, sparing: protected),
                bytes: bytes,
                latest: try Tree.newestImage(in: root, by: catalog)?.stored.name.day)
            if candidates.surplus(before: first, atMost: limit).isEmpty { return [] }
            return candidates.surplus(before: first, atMost: limit, sparing: try present())
        }
        var round = PruneRound(total: total)
        let old = first == nil ? 0 : try surplus(of: total, atMost: nil).reduce(0) { $0 + $1.bytes }
        let former = try catalog.versionsWithFiles()
        round.replaced = try going(among: former, before: first, of: total - old, sparing: protected, present)
        round.days = try surplus(of: total - round.replacedBytes, atMost: settings.maxTotal)
        if round.isEmpty { return round }
        round.hold = round.hold(
            by: settings, lastApplied: try catalog.fact(.retention),
            of: try catalog.countDaysWithFiles() + former.count)
        return round
    }

    /// Those of other lists' pictures that no favorite keeps, in the history or only in the folder yet.
    func unprotected(_ items: [(Subject, StoredDay)]) throws(StorageError) -> [StoredDay] {
        let (known, now) = (favorites.known, try catalog.believed(now))
        let others = items.filter { !known.isProtected($0.0, at: now) }
        if others.isEmpty { return [] }
        let present = try FavoritesSnapshot(at: Folder.open(settings.root), favorites, catalog).subjects
        return others.filter { !present.contains($0.0) }.map(\.1)
    }

    /// The former versions whose files are to go: those of days before `first`; then, if the rest exceeds `max-total`,
    /// those that were replaced long ago.
    private func going(
        among former: [FormerVersion], before first: Day?, of bytes: Int, sparing favorites: Set<Day>,
        _ present: () throws(StorageError) -> Set<Day>
    ) throws(StorageError) -> [FormerVersion] {
        var (going, left): ([FormerVersion], Int) = ([], bytes)
        func add(_ version: FormerVersion) throws(StorageError) {
            let day = version.day
            guard !favorites.contains(day), try !present().contains(day) else { return }
            going.append(version)
            left -= version.bytes
        }
        let isOld = { (version: FormerVersion) in first.map { version.day < $0 } ?? false }
        for version in former where isOld(version) { try add(version) }
        guard let limit = settings.maxTotal else { return going }
        let begin = try catalog.believed(now) - KnownFavorites.grace
        for version in former where left > limit && !isOld(version) && version.replaced < begin { try add(version) }
        return going
    }
}
