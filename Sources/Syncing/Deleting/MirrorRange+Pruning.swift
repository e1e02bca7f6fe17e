import Apod
import Configuration
import Favorites
import Files
import Store

extension MirrorRange {
    /// The plan by the settings and the favorites folder as they are at this moment. Changes nothing.
    package func pruning() throws -> PruneRound { try pruning(in: try Folder.open(settings.root)) }

    func pruning(in root: Folder) throws -> PruneRound {
        let isLimited = settings.keep != nil || settings.maxTotal != nil || settings.lists.contains { $0.keep != nil }
        if !isLimited { return PruneRound() }
        let total = try catalog.bytes()
        let (first, beyond) = (try firstKept(), try itemsBeyondKeep())
        let isTooMuch = settings.maxTotal.map { total > $0 } ?? false
        guard first != nil || !beyond.isEmpty || isTooMuch else { return PruneRound(total: total) }
        let latest = try Tree.newestImage(in: root, by: catalog)?.stored.name.key.day ?? .last
        let protected = try protected()
        // By `keep` alone, no newer day goes; items come before all days.
        let files = try catalog.candidates(
            before: isTooMuch ? latest : min(first ?? .first, latest), sparing: protected)
        let former = try catalog.versionsWithFiles()
        let began = try catalog.believed(now) - KnownFavorites.grace
        func plan(sparing favorites: Set<Key>) -> PruneRound {
            PruneRound(
                of: files.filter { !favorites.contains($0.key) }, former.filter { !favorites.contains($0.key) },
                total: total,
                isOutside: { key in key.day.map { day in first.map { day < $0 } ?? false } ?? beyond.contains(key) },
                atMost: settings.maxTotal, replacedBefore: began)
        }
        var round = plan(sparing: protected)
        if round.isEmpty { return round }
        // All links are read only if something is to go.
        let present = try favorites.now(in: root, catalog).keys
        var (spared, edited) = (protected.union(present), [String]())
        round = plan(sparing: spared)
        while let found = try Self.edited(round, in: root, catalog) {
            spared.insert(found.key)
            edited.append(found.path)
            round = plan(sparing: spared)
        }
        round.edited = edited
        let applied = AppliedRules(in: root)
        for list in [nil] + round.lists.sorted() where !round.pictures(of: list).isEmpty {
            let hold = round.hold(
                of: list, by: settings, lastApplied: applied[list],
                of: try catalog.countWithFiles(of: list))
            if let hold { round.holds.append(hold) }
        }
        return round
    }

    /// Of the first pictures of a plan, one of which a person has changed a file. `Pruning` looks at all that go.
    private static func edited(
        _ round: PruneRound, in root: Folder, _ catalog: Catalog
    ) throws -> (key: Key, path: String)? {
        for picture in round.pictures.prefix(Retention.batch) {
            guard let stored = try catalog.item(of: picture.key)?.stored,
                let folder = try? Tree.existingFolder(stored.name.folder, in: root)
            else { continue }
            let edited = stored.files.first { (try? folder.isEdited($0, as: stored.name)) ?? false }
            if let edited { return (picture.key, stored.name.path(edited)) }
        }
        return nil
    }

    /// The items that their lists' `keep` does not allow, with files or without. Of a list that was not read whole, nobody
    /// knows which are the newest.
    private func itemsBeyondKeep() throws -> Set<Key> {
        var items: Set<Key> = []
        for list in settings.lists {
            guard let keep = list.keep, try keep == 0 || catalog.fact(.lastRefresh, of: list.name) != nil else {
                continue
            }
            items.formUnion(try catalog.items(of: list.name, beyond: keep))
        }
        return items
    }
}
