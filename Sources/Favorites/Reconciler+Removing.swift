internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Synchronization
internal import Watching

/// What becomes of links that are gone.
extension Reconciler {
    func removeGone() throws(StorageError) {
        try scanLock.withLock { _ throws(StorageError) in
            let limit = now() - settleDelay
            let (gone, isFirst) = state.withLock { (overdue($0, until: limit), !$0.isCaughtUp) }
            if !gone.isEmpty || isFirst {
                let back = try remove(gone, isFirst: isFirst)
                if !back.isEmpty { try look(at: Set(back.map(\.place))) }
            }
            state.withLock { if $0.missing.isEmpty { $0.newLinks = [:] } }
        }
    }

    private func overdue(
        _ state: ReconcilerState, until limit: ContinuousClock.Instant
    ) -> [Link: ContinuousClock.Instant] {
        state.missing.filter { $0.value <= limit && !state.unsynced.days.contains($0.key.day) }
    }

    /// Returns those that are back: some programs make links in two steps.
    private func remove(_ gone: [Link: ContinuousClock.Instant], isFirst: Bool) throws(StorageError) -> [Link] {
        let (ordered, pending) = state.withLock { ($0.ordered, Set($0.missing.keys).subtracting(gone.keys)) }
        var removals = Removals(of: isFirst ? nil : Set(gone.keys.map(\.day)), sparing: Set(pending.map(\.day)))
        let back = try sort(gone.keys, into: &removals)
        removals.others.formUnion(back.map(\.day))
        removals.ordered = removals.links.filter { ordered.contains($0.place) }
        removals.links.removeAll { ordered.contains($0.place) }
        sync(&removals.change)
        let moment = clock()
        let last = gone.filter { !ordered.contains($0.key.place) }.values.max() ?? now()
        let vanished = try catalog.record(removals, last: moment - Int((now() - last) / .seconds(1)), at: moment)
        state.withLock { state in
            for link in gone.keys {
                state.missing[link] = nil
                state.ordered.remove(link.place)
            }
            if !removals.links.isEmpty { state.lastRemoval = last }
            state.vanished += vanished
            state.isCaughtUp = true
            if !gone.isEmpty { state.isListOld = true }
        }
        return back
    }

    /// Nothing is gone for good unless its folder still stands. If that does not, the next scan tells. Returns the links that
    /// are back.
    private func sort(
        _ gone: some Collection<Link>, into removals: inout Removals
    ) throws(StorageError) -> [Link] {
        var back: [Link] = []
        let fingerprints = try catalog.albums()
        guard let fingerprint = try? tree.root.favorites(.top)?.fingerprint(),
            fingerprint.text == fingerprints[.top] ?? nil
        else {
            removals.change.vanished += gone.filter(isReplaced)
            return back
        }
        for (album, links) in Dictionary(grouping: gone, by: \.place.album) {
            do throws(StorageError) {
                guard try stands(album, as: fingerprints) else {
                    removals.change.vanished += links.filter(isReplaced)
                    continue
                }
                guard let folder = try tree.root.favorites(album) else {
                    removals.noteRemovals(gone: links)
                    continue
                }
                let fingerprint = try folder.fingerprint()
                let (gone, returned, others) = part(links, in: folder)
                back += returned
                if fingerprint.isCertain || !leavesNothing(gone.count, in: album) {
                    removals.noteRemovals(gone: gone)
                } else {
                    // It may be another folder, though nobody can tell.
                    removals.change.vanished += gone
                }
                removals.links += others.filter(isReplaced)
            } catch {
                // An album that is a link now has been moved to another place.
                removals.change.vanished += error.isNoFolder ? links : links.filter(isReplaced)
            }
        }
        try leaveOutRenamed(of: &removals)
        return back
    }

    /// Whether an album and those that it is in are the folders that they were, as far as there are any.
    private func stands(_ album: Album, as fingerprints: [Album: String?]) throws(StorageError) -> Bool {
        for album in album.way {
            guard let known = fingerprints[album] ?? nil else { continue }
            guard let folder = try tree.root.favorites(album) else { return true }
            if try folder.fingerprint().text != known { return false }
        }
        return true
    }

    /// Something else has its name, as far as is known.
    private func isReplaced(_ link: Link) -> Bool { (try? catalog.meaning(of: link.place)?.day != link.day) == true }

    private func part(_ links: [Link], in folder: Folder) -> (gone: [Link], back: [Link], others: [Link]) {
        var (gone, back, others): ([Link], [Link], [Link]) = ([], [], [])
        for link in links {
            let sighting = resolver.look(at: link.place, in: folder)
            if sighting.finding == .nothing {
                gone.append(link)
            } else if sighting.meaning?.day == link.day {
                back.append(link)
            } else {
                others.append(link)
            }
        }
        return (gone, back, others)
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
    private func leavesNothing(_ count: Int, in album: Album) -> Bool {
        guard let meanings = try? catalog.meanings(in: album) else { return true }
        return count >= meanings.count { $0.value.day != nil }
    }
}

extension Removals {
    fileprivate mutating func noteRemovals(gone: [Link]) {
        change.gone += gone.map(\.place)
        links += gone
    }
}
