internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Synchronization

extension Reconciler {
    /// Ends links that stayed away, and writes the list. Returns whether nothing is left to be done later.
    func end() throws(StorageError) -> Bool {
        try archive.checkPlaces()
        let isDone = try state.withLock { state throws(StorageError) in
            try end(&state)
            return state.going.isEmpty
        }
        try writeList()
        return isDone
    }

    /// Returns the links that went together, if they are more than a few and were not returned before.
    func takeLoss() -> LinkLoss? {
        guard state.withLock({ $0.takeLossNews() }) else { return nil }
        return favorites.known.loss(at: clock())
    }

    private func end(_ state: inout FavoritesState) throws(StorageError) {
        if overdue(state).isEmpty { return }
        // Events are hints: a second look spares links that are there after all, or that cannot be seen.
        try look(again: Set(overdue(state).map(\.link.place)), &state)
        _ = top(&state)
        let gone = overdue(state)
        if gone.isEmpty { return }
        // Errors are ignored: a link that a power cut brings back is a favorite again.
        for album in Set(gone.map(\.link.place.album)) { try? folders.sync([album]) }
        // Times are in whole seconds: two that differ by one may be almost two seconds apart.
        let present = favorites.known.links(to: Set(gone.map(\.link.subject)))
        let departures = Departures(gone, of: present, window: max(0, Int(settleDelay / .seconds(1)) - 1))
        try favorites.append(departures.lines(at: clock()))
        state.end(departures)
    }

    /// Looks at some places; for very many, a full scan is faster.
    private func look(again places: Set<Place>, _ state: inout FavoritesState) throws(StorageError) {
        try note(places.count > DirtyPaths.most ? .everywhere : .places(places), &state)
    }

    private func overdue(_ state: FavoritesState) -> [RemovedLink] {
        state.overdue(since: now() - settleDelay)
    }

    /// Runs `work`, which makes or deletes links and returns where. Returns when the history and the list say so.
    func carryOut(_ work: @Sendable () throws(StorageError) -> Set<Place>) throws(StorageError) {
        if !hasScanned { try note(.everywhere) }
        try state.withLock { state throws(StorageError) in
            let places = try work()
            let others = state.takeDue()
            defer { if let others { state.delay(others.places, others.why) } }
            try look(again: places, &state)
            // What was not seen is not told as done.
            if let due = state.due { throw due.why }
            state.expire(places, after: settleDelay)
            try end(&state)
        }
        try writeList()
    }

    /// Holds a lock from reading to writing: an older list must not replace a newer one.
    func writeList() throws(StorageError) {
        try writing.withLock { _ throws(StorageError) in
            let (isOld, leftAlone) = state.withLock { state in
                defer { state.isListOld = false }
                return (state.isListOld, state.hasScanned ? state.leftAlone : nil)
            }
            if !isOld { return }
            do throws(StorageError) {
                favorites.forget(before: try catalog.believed(clock()) - KnownFavorites.memory)
                if let leftAlone { try catalog.setLeftAlone(leftAlone) }
                if try !list.write() { state.withLock { $0.isListOld = true } }
            } catch {
                state.withLock { $0.isListOld = true }
                throw error
            }
        }
    }
}
