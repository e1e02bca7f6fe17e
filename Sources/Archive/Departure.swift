package import Apod
internal import Files

/// Lets go of the files of some days. Their JSON stays, and says so.
///
/// The catalog knows first which days are on their way out; cut off anywhere behind that, the rest is done when the
/// mirror is opened again. Only files that the catalog knows are taken away.
package struct Departure {
    let tree: Tree
    let catalog: Catalog
    let read: Archive.Reader
    let now: Int

    /// What became of some days. Those that are favorites, or were not long ago, are in neither.
    package struct Outcome: Sendable {
        package fileprivate(set) var gone: Set<Day> = []
        /// They stay: their JSON cannot be read, and would be all that is left of them.
        package fileprivate(set) var unreadable: Set<Day> = []
    }

    private struct Leaving {
        let standing: Standing
        let metadata: Metadata

        var pruned: Standing { Standing(day: standing.day, state: .pruned, entry: standing.entry) }
    }

    func run(_ days: [Day]) throws(ArchiveError) -> Outcome {
        var outcome = Outcome()
        let leaving = try leaving(among: days, &outcome)
        if leaving.isEmpty { return outcome }
        try mark(leaving)
        let documents = try ArchiveError.wrapping { () throws(DiskError) in
            try removeFiles(of: leaving)
            return try rewrite(leaving)
        }
        try ArchiveError.wrapping { () throws(CatalogError) in
            try catalog.record(
                zip(leaving, documents).map { leaving, document in
                    var standing = leaving.pruned
                    standing.entry = Entry(leaving.metadata, document: document)
                    return Catalog.Change(standing)
                })
        }
        outcome.gone = Set(leaving.map(\.standing.day))
        return outcome
    }

    private func leaving(among days: [Day], _ outcome: inout Outcome) throws(ArchiveError) -> [Leaving] {
        var found: [Leaving] = []
        for day in days {
            let standing = try ArchiveError.wrapping { () throws(CatalogError) in
                try catalog.isProtected(day, at: now) ? nil : try catalog.standing(of: day)
            }
            guard let standing, let entry = standing.entry, !entry.files.isEmpty else { continue }
            let metadata = try ArchiveError.wrapping { () throws(DiskError) in try prunedMetadata(of: entry) }
            if let metadata {
                found.append(Leaving(standing: standing, metadata: metadata))
            } else {
                outcome.unreadable.insert(day)
            }
        }
        return found
    }

    /// What the day's JSON will say. nil where that which is there cannot be read.
    private func prunedMetadata(of entry: Entry) throws(DiskError) -> Metadata? {
        guard let folder = try Tree.existingFolder(of: entry.name.day, in: tree.root),
            let (kept, picture, _) = try Census(tree, read: read).kept(entry.name, in: folder)
        else { return nil }
        return Metadata(
            name: entry.name, picture: picture, files: entry.files, downgraded: kept.downgraded,
            fetched: kept.fetched, isPruned: true)
    }

    private func mark(_ leaving: [Leaving]) throws(ArchiveError) {
        do throws(CatalogError) {
            try catalog.record(leaving.map { Catalog.Change($0.pruned) })
        } catch {
            // A full disk has no room for a mark, but will have some.
            guard error.isFull else { throw .catalog(error) }
        }
    }

    private func removeFiles(of leaving: [Leaving]) throws(DiskError) {
        for days in Dictionary(grouping: leaving.map(\.metadata), by: \.name.folder).values {
            guard let folder = try Tree.existingFolder(of: days[0].name.day, in: tree.root) else { continue }
            for metadata in days {
                for name in metadata.files.map({ metadata.name.with($0.type.suffix) }) {
                    // Anything else in its place is somebody's.
                    if try folder.facts(of: name)?.isRegular == true { try folder.remove(name) }
                }
            }
            try folder.sync()
        }
    }

    /// Returns the documents in the order of the days.
    private func rewrite(_ leaving: [Leaving]) throws(DiskError) -> [[UInt8]] {
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
        for folder in folders.values { try folder.sync() }
        return documents
    }
}
