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
            let days = if let read { read } else { try favorites.now(in: root, catalog).days }
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
        let former = try former(in: root)
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
        let present = try favorites.now(in: Folder.open(settings.root), catalog)
        return others.filter { !present.isFavorite($0.0) }.map(\.1)
    }

    /// The former versions that have files, the oldest first.
    private func former(in root: Folder) throws(StorageError) -> [ReplacedFiles.Version] {
        // Without access to the folder, this can only be a preview.
        guard try catalog.fact(.replacedBytes) ?? 0 > 0, let own = try? root.folder(Tree.ownFolder) else { return [] }
        let replaced = ReplacedFiles(in: own)
        var former: [ReplacedFiles.Version] = []
        for version in try replaced.versions().values.joined() where try replaced.isOfCorrection(version) {
            former.append(version)
        }
        return former.sorted { $0.moment < $1.moment }
    }

    /// The former versions whose files are to go: those of days before `first`; then, if the rest exceeds `max-total`,
    /// those that were replaced long ago.
    private func going(
        among former: [ReplacedFiles.Version], before first: Day?, of bytes: Int, sparing favorites: Set<Day>,
        _ present: () throws(StorageError) -> Set<Day>
    ) throws(StorageError) -> [ReplacedFiles.Version] {
        var (going, left): ([ReplacedFiles.Version], Int) = ([], bytes)
        func add(_ version: ReplacedFiles.Version) throws(StorageError) {
            let day = version.name.day
            guard !favorites.contains(day), try !present().contains(day) else { return }
            going.append(version)
            left -= version.bytes
        }
        let isOld = { (version: ReplacedFiles.Version) in first.map { version.name.day < $0 } ?? false }
        for version in former where isOld(version) { try add(version) }
        guard let limit = settings.maxTotal else { return going }
        let begin = try catalog.believed(now) - KnownFavorites.grace
        for version in former where left > limit && !isOld(version) && version.moment < begin { try add(version) }
        return going
    }
}
