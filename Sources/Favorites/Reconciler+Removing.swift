internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Synchronization
internal import Watching

/// What becomes of links that are gone.
extension Reconciler {
    func removeLost() throws(StorageError) {
        try scanLock.withLock { _ throws(StorageError) in
            let limit = now() - settleDelay
            let (lost, isFirst) = state.withLock { (overdue($0, until: limit), !$0.isCaughtUp) }
            if !lost.isEmpty || isFirst { try remove(lost, isFirst: isFirst) }
            state.withLock { if $0.lost.isEmpty { $0.newLinks = [:] } }
        }
    }

    /// What came into their places meanwhile may be links again: some programs make them in two steps.
    func lookAtLost() throws(StorageError) {
        let places = state.withLock { overdue($0, until: now() - settleDelay).keys.map(\.place) }
        if !places.isEmpty { try note(.places(Set(places))) }
    }

    private func overdue(
        _ state: ReconcilerState, until limit: ContinuousClock.Instant
    ) -> [Link: ContinuousClock.Instant] {
        state.lost.filter { $0.value <= limit && !state.unsynced.days.contains($0.key.day) }
    }

    private func remove(_ lost: [Link: ContinuousClock.Instant], isFirst: Bool) throws(StorageError) {
        let (ordered, pending) = state.withLock { ($0.ordered, Set($0.lost.keys).subtracting(lost.keys)) }
        var removals = Removals(of: isFirst ? nil : Set(lost.keys.map(\.day)), sparing: Set(pending.map(\.day)))
        try sort(lost.keys, into: &removals)
        removals.ordered = removals.links.filter { ordered.contains($0.place) }
        removals.links.removeAll { ordered.contains($0.place) }
        sync(&removals.change)
        let moment = clock()
        let last = lost.filter { !ordered.contains($0.key.place) }.values.max() ?? now()
        let vanished = try catalog.record(removals, last: moment - Int((now() - last) / .seconds(1)), at: moment)
        state.withLock { state in
            for link in lost.keys {
                state.lost[link] = nil
                state.ordered.remove(link.place)
            }
            if !removals.links.isEmpty { state.lastRemoval = last }
            state.vanished += vanished
            state.isCaughtUp = true
            if !lost.isEmpty { state.isListOld = true }
        }
    }

    /// Nothing is gone for good unless its folder still stands. If that does not, the next scan tells.
    private func sort(
        _ lost: some Collection<Link>, into removals: inout Removals
    ) throws(StorageError) {
        let fingerprints = try catalog.albums()
        guard let fingerprint = try? tree.root.favorites(.top)?.fingerprint(),
            fingerprint.text == fingerprints[.top] ?? nil
        else { return }
        for (album, links) in Dictionary(grouping: lost, by: \.place.album) {
            do throws(StorageError) {
                guard let folder = try tree.root.favorites(album) else {
                    removals.noteRemovals(gone: links)
                    continue
                }
                let fingerprint = try folder.fingerprint()
                guard fingerprint.text == (fingerprints[album] ?? nil) ?? fingerprint.text else { continue }
                let (gone, others) = part(links, in: folder)
                if fingerprint.isCertain || !leavesNothing(gone.count, in: album) {
                    removals.noteRemovals(gone: gone)
                } else {
                    // It may be another folder, though nobody can tell.
                    removals.change.vanished += gone
                }
                // Something else has their names now.
                removals.links += others.filter { (try? catalog.meaning(of: $0.place)?.day != $0.day) == true }
            } catch {
                // An album that is a link now has been moved to another place.
                if error.isNoFolder { removals.change.vanished += links }
            }
        }
        try leaveOutRenamed(of: &removals)
    }

    private func part(_ links: [Link], in folder: Folder) -> (gone: [Link], others: [Link]) {
        var (gone, others): ([Link], [Link]) = ([], [])
        for link in links {
            let finding = resolver.look(at: link.place, in: folder).finding
            if finding == .nothing { gone.append(link) } else { others.append(link) }
        }
        return (gone, others)
    }

    private func leaveOutRenamed(of removals: inout Removals) throws(StorageError) {
        let newLinks = state.withLock(\.newLinks)
        let days = Set(removals.links.map(\.day)).intersection(newLinks.keys)
        if days.isEmpty { return }
        var left = try catalog.linkCounts(of: days)
        let gone = Set(removals.change.gone)
        for link in removals.links where gone.contains(link.place) { left[link.day]? -= 1 }
        var renames = Renames(left.merging(newLinks.filter { days.contains($0.key) }, uniquingKeysWith: min))
        removals.links.removeAll { renames.take($0.day) }
    }

    /// Whether so many links are all that are remembered of a folder; where that cannot be told, too.
    private func leavesNothing(_ losses: Int, in album: Album) -> Bool {
        guard let meanings = try? catalog.meanings(in: album) else { return true }
        return losses >= meanings.count { $0.value.day != nil }
    }
}

extension Removals {
    fileprivate mutating func noteRemovals(gone: [Link]) {
        change.gone += gone.map(\.place)
        links += gone
    }
}
