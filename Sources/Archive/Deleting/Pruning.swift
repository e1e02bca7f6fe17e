package import Apod
internal import Catalog
internal import Files

/// Deletes the files of some days. Their JSON stays, and says so.
///
/// The catalog knows first which days are on their way out; cut off anywhere behind that, what has begun is brought to an
/// end when the mirror is opened again (`InterruptedDeletions`). Only files that the catalog knows are taken away, and
/// each only if nobody has come to want it meanwhile.
package struct Pruning {
    /// Whether somebody wants a day's picture, though the catalog may not know it yet. Asked again and again.
    package typealias Wanting = @Sendable (Day) -> Bool

    let tree: Tree
    let catalog: Catalog
    let read: RecordReader
    let now: Int
    let isWanted: Wanting

    /// What became of some days. Those that are favorites, or were not long ago, are in none.
    package struct Outcome: Sendable {
        package fileprivate(set) var gone: Set<Day> = []
        /// They stay: their JSON cannot be read, and would be all that is left of them.
        package fileprivate(set) var unreadable: Set<Day> = []
        /// They stay as they are: nothing can be done in their month.
        package fileprivate(set) var refused: [Day: ArchiveError] = [:]
    }

    private struct Leaving {
        let status: DayStatus
        let metadata: Metadata
        /// Those of its files that are in the tree, or may be.
        let types: [MediaType]

        var day: Day { status.day }
        /// On its way out. What else is known of it stays, for the case that it does not go.
        var marked: DayStatus {
            var status = status
            status.state = .pruned
            return status
        }
        var pruned: DayStatus { DayStatus(day: status.day, state: .pruned, stored: status.stored) }
    }

    func run(_ days: [Day]) throws(StorageError) -> Outcome {
        var outcome = Outcome()
        let leaving = try mark(try leaving(among: days, &outcome))
        let gone = try removeFiles(of: leaving, &outcome)
        let documents = try rewrite(gone)
        try record(
            zip(gone, documents).map { gone, document in
                var status = gone.pruned
                status.stored = StoredDay(gone.metadata, document: document)
                return Catalog.Change(status)
            })
        outcome.gone = Set(gone.map(\.day))
        // They go with their day.
        let replaced = ReplacedFiles(in: tree.own)
        try replaced.remove(try replaced.versions(of: outcome.gone.contains).values.flatMap(\.self))
        return outcome
    }

    private func leaving(among days: [Day], _ outcome: inout Outcome) throws(StorageError) -> [Leaving] {
        var found: [Leaving] = []
        for day in days {
            let status = try mustStay(day) ? nil : try catalog.status(of: day)
            guard let status, let stored = status.stored, !stored.files.isEmpty else { continue }
            if let refusal = try refusal(of: day) {
                outcome.refused[day] = refusal
                continue
            }
            let metadata = try prunedMetadata(of: stored)
            if let metadata {
                found.append(Leaving(status: status, metadata: metadata, types: stored.files.map(\.type)))
            } else {
                outcome.unreadable.insert(day)
            }
        }
        return found
    }

    private func refusal(of day: Day) throws(StorageError) -> ArchiveError? {
        do throws(ArchiveError) {
            try tree.checkMonth(of: day, toChange: true)
            return nil
        } catch {
            if case .storage(let error) = error { throw error }
            return error
        }
    }

    /// Whether somebody has come to want it, also if nobody has noted that yet.
    private func mustStay(_ day: Day) throws(StorageError) -> Bool {
        if isWanted(day) { return true }
        return try catalog.isProtected(day, at: now)
    }

    /// What the day's JSON will say. nil where that which is there cannot be read.
    private func prunedMetadata(of stored: StoredDay) throws(StorageError) -> Metadata? {
        guard let (kept, picture) = try CatalogRebuild(tree, read: read).kept(stored.name) else { return nil }
        return Metadata(
            name: stored.name, picture: picture, files: stored.files, downgraded: kept.downgraded,
            fetched: kept.fetched, isPruned: true, setAside: kept.setAside)
    }

    /// Returns those that may still go.
    private func mark(_ leaving: [Leaving]) throws(StorageError) -> [Leaving] {
        do throws(StorageError) {
            let marked = try catalog.mark(leaving.map(\.marked), at: now)
            return leaving.filter { marked.contains($0.day) }
        } catch {
            // A full disk has no room for a mark, but will have some. Each is looked at again before it goes.
            guard error.isFull else { throw error }
            return leaving
        }
    }

    /// Returns those that are gone.
    private func removeFiles(of leaving: [Leaving], _ outcome: inout Outcome) throws(StorageError) -> [Leaving] {
        var gone: [Leaving] = []
        for days in Dictionary(grouping: leaving, by: \.metadata.name.folder).values {
            let folder = try Tree.existingFolder(of: days[0].day, in: tree.root)
            for leaving in days {
                if let folder, try !remove(leaving, from: folder, &outcome) { continue }
                gone.append(leaving)
            }
            try folder?.sync()
        }
        return gone
    }

    /// Returns false if it is to stay, or cannot go. Then it is what it was before, unless it has lost a file already: that one stays
    /// marked, and is asked for again as a favorite.
    private func remove(
        _ leaving: Leaving, from folder: Folder, _ outcome: inout Outcome
    ) throws(StorageError) -> Bool {
        for (index, type) in leaving.types.enumerated() {
            do throws(StorageError) {
                if try !mustStay(leaving.day) {
                    let name = leaving.metadata.name.with(type.suffix)
                    // Anything else in its place is somebody's.
                    if try folder.facts(of: name)?.isRegular == true { try folder.remove(name) }
                    continue
                }
            } catch {
                // A file that cannot be deleted keeps no other day.
                if error.isOfProcess || !error.isOfSystem { throw error }
                outcome.refused[leaving.day] = .storage(error)
            }
            try record([Catalog.Change(index == 0 ? leaving.status : leaving.marked)])
            return false
        }
        return true
    }

    private func record(_ changes: [Catalog.Change]) throws(StorageError) {
        if changes.isEmpty { return }
        try catalog.record(changes)
    }

    /// Returns the documents in the order of the days.
    private func rewrite(_ leaving: [Leaving]) throws(StorageError) -> [[UInt8]] {
        var folders: [String: Folder] = [:]
        var documents: [[UInt8]] = []
        for leaving in leaving {
            let name = leaving.metadata.name
            let document = leaving.metadata.document
            if folders[name.folder] == nil { folders[name.folder] = try tree.folder(of: name.day) }
            try Staged(document, in: tree.unfinished, as: "\(name.day).json")
                .publish(in: folders[name.folder]!, as: name.with(Metadata.suffix))
            documents.append(document)
        }
        for (month, folder) in folders {
            tree.hideJSON(in: folder, month)
            try folder.sync()
        }
        return documents
    }
}
