internal import Apod
internal import Archive
internal import Catalog
package import Files
import Synchronization
internal import Watching

extension Reconciler {
    /// Puts links and copies in order. Returns whether nothing is left to be done later.
    package func tidy() throws(StorageError) -> Bool {
        let (work, resting) = state.withLock { state in
            defer { state.work = .none }
            return (state.work, state.resting)
        }
        do throws(StorageError) {
            try archive.checkPlaces()
            let outcome = adoption.run(work, resting: resting) { (place, original, facts) throws(StorageError) in
                try recognise(place, original, facts)
            }
            try history.append(outcome.adopted)
            try folders.sync(outcome.touched)
            try state.withLock { state throws(StorageError) in
                // The mirror has renamed these links: nobody has removed them.
                if !outcome.renamed.isEmpty {
                    try catalog.renameLinks(outcome.renamed)
                    state.settle(Set(outcome.renamed.map(\.link.place)))
                    (state.isListOld, state.isNews) = (true, true)
                }
                if !outcome.changed.isEmpty { try note(.places(outcome.changed), &state) }
                state.resting = outcome.later
                state.work.add(.places(Set(outcome.later.keys)))
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

    /// Records what a file is by its content: a copy of `original`, or no copy.
    private func recognise(_ place: Place, _ original: TreeFile?, _ facts: File.Facts) throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            guard let folder = try? tree.root.favorites(place.album),
                (try? folder.facts(of: place.name))?.isSame(as: facts) == true
            else { return }
            var sighting = Sighting(place: place, isTidy: true)
            if let original {
                sighting.finding = .day(original.day, file: original.name)
            } else {
                sighting.finding = .unrecognised(.file)
                state.others[place] = facts
            }
            var change = FolderChange()
            try see(sighting, &state, at: moment, &change)
            try remember(change, &state)
        }
    }

    /// Does `tidy`, then `end`. Returns whether nothing is left to be done later.
    package func settle() throws(StorageError) -> Bool {
        let isTidy = try tidy()
        return try end() && isTidy
    }
}
