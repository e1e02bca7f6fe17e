internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Synchronization

extension Reconciler {
    /// Puts links and copies in order. Returns whether nothing is left to be done later.
    func tidy() throws(StorageError) -> Bool {
        let (work, resting) = state.withLock { state in
            defer { state.work = .none }
            return (state.work, state.resting)
        }
        do throws(StorageError) {
            try archive.checkPlaces()
            let outcome = adoption.run(work, resting: resting) { (sighting, facts) throws(StorageError) in
                try record(sighting, facts)
            }
            try folders.sync(outcome.touched)
            try state.withLock { state throws(StorageError) in
                // The mirror has renamed these links: nobody has removed them.
                if !outcome.renamed.isEmpty {
                    try rename(outcome.renamed)
                    state.stay(in: Set(outcome.renamed.map(\.link.place)))
                    (state.isListOld, state.isNews) = (true, true)
                }
                if !outcome.changed.isEmpty { try note(.places(outcome.changed), &state) }
                state.resting = outcome.later
                state.work.add(Task.isCancelled ? work : .places(Set(outcome.later.keys)))
                for album in outcome.touched { state.unwritable[album] = outcome.unwritable[album] }
                if try catalog.setUnwritable(state.unwritable) { state.isNews = true }
            }
            if let failure = outcome.failure { throw failure }
            return outcome.later.isEmpty
        } catch {
            state.withLock { $0.work.add(work) }
            throw error
        }
    }

    /// Records what a thing is, and what it says, before it is put in order.
    private func record(_ sighting: Sighting, _ facts: File.Facts) throws(StorageError) {
        let place = sighting.place
        try state.withLock { state throws(StorageError) in
            guard let folder = try tree.root.favorites(place.album),
                try folder.facts(of: place.name)?.isSame(as: facts) == true
            else { return }
            var sighting = sighting
            sighting.isTidy = true
            if sighting.finding == .unrecognised(.file) { state.others[place] = facts }
            var change = FolderChange()
            see(sighting, &state, at: moment, &change)
            try remember(change, &state)
        }
    }

    /// Records links that the mirror itself has renamed within their albums.
    private func rename(_ renamed: [(link: Link, name: Name)]) throws(StorageError) {
        let now = clock()
        try favorites.append(
            renamed.flatMap { link, name in
                favorites.known.links(at: link.place).filter { $0.link.subject == link.subject }.map { known in
                    HistoryLine(
                        .moved, Link(Place(name, in: link.place.album), to: link.subject, file: known.link.file),
                        at: now,
                        from: link.place, isLink: known.isLink)
                }
            })
    }

    /// Does `tidy`, then `end`. Returns whether nothing is left to be done later.
    func settle() throws(StorageError) -> Bool {
        let isTidy = try tidy()
        return try end() && isTidy
    }
}
