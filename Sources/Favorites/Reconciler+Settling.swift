internal import Apod
package import Archive
internal import Files
import Synchronization

extension Reconciler {
    /// Ends favorites whose links stayed away, puts links in order and writes the list. Returns whether nothing is
    /// left to be done later.
    package func settle() throws(ArchiveError) -> Bool {
        let work = state.withLock { state in
            defer { state.unsettled = .none }
            return state.unsettled
        }
        do throws(ArchiveError) {
            try archive.checkPlaces()
            try removeLost()
            let failure = try putInOrder(work)
            try writeList()
            if let failure { throw failure }
            return state.withLock { $0.lost.isEmpty && $0.resting.isEmpty }
        } catch {
            state.withLock { $0.unsettled.add(work) }
            throw error
        }
    }

    /// Does something in the folder or in the catalog that somebody asked for, and takes note of it. `work` returns where
    /// it took links away: these are gone at once. Returns how many links had vanished before.
    @discardableResult
    package func carryOut(_ work: () throws(ArchiveError) -> [Place]) throws(ArchiveError) -> Int {
        // What happened before is one thing, what happens now another.
        let vanished = try note(.everywhere)
        let removed = try work()
        try note(.everywhere)
        state.withLock { state in
            for place in removed {
                if let loss = state.lost[place] { state.lost[place] = Loss(day: loss.day, moment: loss.moment - rest) }
            }
        }
        try archive.checkPlaces()
        try removeLost()
        try writeList()
        return vanished
    }

    private func removeLost() throws(ArchiveError) {
        try turn.withLock { _ throws(ArchiveError) in
            let limit = ContinuousClock.now - rest
            let (lost, isFirst) = state.withLock { ($0.lost.filter { $0.value.moment <= limit }, !$0.hasSettled) }
            if lost.isEmpty, !isFirst { return }
            let change = try finalChange(of: lost)
            let days = Set(lost.values.map(\.day))
            let links = Dictionary(lost.map { ($0.value.day, $0.key) }) { first, _ in first }
            let moment = clock()
            try record(change)
            try remembering { catalog throws(CatalogError) in
                try catalog.dropOrphans(among: isFirst ? nil : days, lost: links, at: moment)
            }
            state.withLock { state in
                for place in lost.keys { state.lost[place] = nil }
                state.hasSettled = true
                if !lost.isEmpty { state.isListOld = true }
            }
        }
    }

    /// Nothing is gone for good unless its folder still stands. If that does not, the next scan tells.
    private func finalChange(of lost: [Place: Loss]) throws(ArchiveError) -> FolderChange {
        var change = FolderChange()
        let marks = try remembering { catalog throws(CatalogError) in try catalog.albums() }
        guard let mark = try? tree.root.favorites(.top)?.mark(), mark.text == marks[.top] ?? nil else { return change }
        for (album, places) in Dictionary(grouping: lost.keys, by: \.album) {
            do throws(DiskError) {
                guard let folder = try tree.root.favorites(album) else {
                    change.gone += places
                    continue
                }
                let mark = try folder.mark()
                guard mark.text == (marks[album] ?? nil) ?? mark.text else { continue }
                let gone = places.filter { recognition.look(at: $0.name, in: folder, depth: album.depth) == .nothing }
                if mark.isCertain || !leavesNothing(gone.count, in: album) {
                    change.gone += gone
                } else {
                    // It may be another folder, though nobody can tell.
                    change.vanished += gone.map { ($0, lost[$0]!.day) }
                }
            } catch {
                // An album that is a link now has been moved to another place.
                if error.isNoFolder { change.vanished += places.map { ($0, lost[$0]!.day) } }
            }
        }
        return change
    }

    /// Whether so many links are all that are remembered of a folder; where that cannot be told, too.
    private func leavesNothing(_ losses: Int, in album: Album) -> Bool {
        guard let meanings = try? catalog.meanings(in: album) else { return true }
        return losses >= meanings.count { $0.value.day != nil }
    }

    /// Returns what kept some of it from being done.
    private func putInOrder(_ work: Hints) throws(ArchiveError) -> ArchiveError? {
        let resting = state.withLock(\.resting)
        var order = Adoption.Order(resting: resting)
        adoption.run(work, &order)
        try ArchiveError.wrapping { () throws(DiskError) in try folders.sync(order.touched) }
        for (place, meaning, facts) in order.recognised {
            try turn.withLock { _ throws(ArchiveError) in
                guard let folder = try? tree.root.favorites(place.album),
                    (try? folder.facts(of: place.name))?.isSame(as: facts) == true
                else { return }
                var seen = Observation()
                seen.take(.meaning(meaning), at: place, try self.meaning(of: place), isHinted: true)
                try remember(seen, unsettled: .none)
            }
        }
        state.withLock { state in
            state.resting = order.later
            for place in order.later.keys { state.unsettled.add(place) }
        }
        return order.failure.map(ArchiveError.disk)
    }

    private func writeList() throws(ArchiveError) {
        guard state.withLock(\.isListOld) else { return }
        state.withLock { $0.isListOld = false }
        do throws(ArchiveError) {
            try list.write()
        } catch {
            state.withLock { $0.isListOld = true }
            throw error
        }
    }
}
