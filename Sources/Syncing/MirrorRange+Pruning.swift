internal import Apod
internal import Archive
internal import Catalog
internal import Configuration
internal import Files

extension MirrorRange {
    /// What is to be deleted now. Some days may be `favorites` though nobody has noted it yet.
    func pruning(in root: Folder, favorites: () -> Set<Day> = { [] }) throws(StorageError) -> PruneRound {
        guard settings.keep != nil || settings.maxTotal != nil else { return PruneRound() }
        let (first, bytes) = (try firstKept(), try catalog.bytes())
        let isTooMuch = settings.maxTotal.map { bytes > $0 } ?? false
        guard isTooMuch || first != nil else { return PruneRound(total: bytes) }
        let pruneCandidates = try PruneCandidates(in: root, catalog, before: isTooMuch ? nil : first, at: now)
        func surplus(_ pruneCandidates: PruneCandidates) -> [PruneCandidates.Candidate] {
            pruneCandidates.surplus(before: first, atMost: settings.maxTotal)
        }
        // Who looks for favorites looks at all links.
        let days = surplus(pruneCandidates).isEmpty ? [] : surplus(pruneCandidates.with(favorites()))
        let there = days.isEmpty ? 0 : try catalog.countDaysWithFiles()
        var round = PruneRound(days: days, total: bytes, there: there)
        round.hold = round.hold(by: settings)
        return round
    }
}
