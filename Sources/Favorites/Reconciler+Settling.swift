internal import Apod
internal import Archive
package import Catalog
package import Files
import Synchronization
internal import Watching

extension Reconciler {
    /// Ends favorites whose links stayed away, puts links in order and writes the list. Returns whether nothing is
    /// left to be done later.
    package func settle() throws(StorageError) -> Bool {
        let work = state.withLock { state in
            defer { state.work = .none }
            return state.work
        }
        do throws(StorageError) {
            try archive.checkPlaces()
            try trySyncingAgain()
            try removeGone()
            let failure = try putInOrder(work)
            let isCounted = try count()
            try writeList()
            if let failure = failure ?? syncFailure { throw failure }
            return state.withLock { isCounted && $0.missing.isEmpty && $0.growing.isEmpty }
        } catch {
            state.withLock { $0.work.add(work) }
            throw error
        }
    }

    /// Does something in the folder or in the catalog that somebody asked for, and takes note of it. What `work` takes
    /// away is gone at once.
    package func carryOut(_ work: () throws(StorageError) -> Void) throws(StorageError) {
        try requestLock.withLock { _ throws(StorageError) in
            // What happened before is one thing, what happens now another.
            try note(.everywhere)
            do throws(StorageError) {
                try work()
            } catch {
                // What it did before it failed was asked for, too.
                try? endOrdered()
                throw error
            }
            try endOrdered()
        }
    }

    private func endOrdered() throws(StorageError) {
        try note(.everywhere)
        try endRun(after: state.withLock(\.restored))
        state.withLock { state in
            for link in state.missing.keys where state.ordered.contains(link.place) {
                state.missing[link]! -= settleDelay
            }
        }
        try archive.checkPlaces()
        try removeGone()
        // What is still there was not taken away.
        state.withLock { $0.ordered = [] }
        try writeList()
    }

    /// Links are about to be taken away here, as somebody asked for.
    package func expectRemoval(of places: [Place]) { state.withLock { $0.ordered.formUnion(places) } }

    /// These links have been made again.
    package func noteRestored(_ links: [Link]) { state.withLock { $0.restored += links } }

    private func endRun(after restored: [Link]) throws(StorageError) {
        if restored.isEmpty { return }
        try catalog.restore(restored)
        state.withLock { state in
            state.restored = []
            state.isListOld = true
        }
    }

    /// Returns what kept some of it from being done.
    private func putInOrder(_ work: DirtyPaths) throws(StorageError) -> StorageError? {
        let start = clock()
        var progress = try newProgress()
        adoption.run(work, &progress)
        let failures = folders.sync(progress.touched)
        state.withLock { $0.unsynced.add(Unsynced(failures: failures)) }
        try noteRenamed(progress.renamed)
        // The list, which is written next, says where they lead now.
        if !progress.changed.isEmpty { try note(.places(progress.changed)) }
        for (place, meaning, facts) in progress.recognised {
            try scanLock.withLock { _ throws(StorageError) in
                guard let folder = try? tree.root.favorites(place.album),
                    (try? folder.facts(of: place.name))?.isSame(as: facts) == true
                else { return }
                var seen = FolderDiff()
                let sighting = Sighting(place: place, finding: .meaning(meaning))
                seen.compare(sighting, try catalog.meaning(of: place), isHinted: true)
                try seen.noteFingerprint(of: place.album, folder, in: tree.root, catalog)
                try remember(seen, work: .none)
            }
        }
        state.withLock { state in
            state.growing = progress.later
            for place in progress.later.keys { state.work.add(place) }
        }
        try rememberUnwritable(progress.unwritable, after: work)
        if work == .everywhere, progress.failure == nil { try noteCompared(at: start) }
        return progress.failure
    }

    /// The mirror itself has given them other names: nobody has taken the former ones away, whoever has missed them already.
    private func noteRenamed(_ renamed: [(link: Link, name: Name)]) throws(StorageError) {
        if renamed.isEmpty { return }
        try scanLock.withLock { _ throws(StorageError) in
            try catalog.renameLinks(renamed)
            state.withLock { state in
                for (link, _) in renamed where state.missing.removeValue(forKey: link) != nil {
                    // The new name was not added by anybody, either.
                    state.newLinks[link.day]? -= 1
                }
                state.isListOld = true
            }
        }
    }

    private func writeList() throws(StorageError) {
        guard state.withLock(\.isListOld) else { return }
        state.withLock { $0.isListOld = false }
        do throws(StorageError) {
            if try !list.write() { state.withLock { $0.isListOld = true } }
        } catch {
            state.withLock { $0.isListOld = true }
            throw error
        }
    }
}
