internal import Apod
internal import Catalog
internal import Files
import Glibc

/// Reads back from the tree what the catalog should know.
struct CatalogRebuild {
    private let root: Folder
    private let own: Folder?
    private let read: RecordReader

    init(_ tree: Tree, read: @escaping RecordReader) { self.init(tree.root, own: tree.own, read: read) }

    /// Of a tree that is only looked at.
    init(_ root: Folder, own: Folder?, read: @escaping RecordReader) {
        (self.root, self.own, self.read) = (root, own, read)
    }

    /// All days of the tree, and last where the range begins: without that, a catalog is not complete.
    func enter(into catalog: Catalog) throws(StorageError) -> Int {
        let days = try catalog.fill(from: try Tree.months(in: root)) { month throws(StorageError) in
            try allowed { () throws(StorageError) in
                try self.changes(in: month.folder) { $0.folder == month.path }
            }
        }
        try FavoritesFileReader(root: root).enter(into: catalog, at: Glibc.time(nil))
        if let since = own.flatMap(Tree.since(in:)) ?? Self.since(days) { try catalog.setFact(.since, since.number) }
        return days.count
    }

    /// The search index alone, from the texts in the JSON files.
    func fillSearch(of catalog: Catalog) throws(StorageError) {
        try catalog.fillSearch(from: try Tree.months(in: root)) { month throws(StorageError) in
            try allowed { () throws(StorageError) in
                try self.changes(in: month.folder) { $0.folder == month.path }
            }
        }
    }

    /// Where the days begin that follow each other; what is older was asked for by name.
    private static func since(_ days: [Day]) -> Day? {
        let sorted = days.sorted(by: >)
        let gap = zip(sorted, sorted.dropFirst()).first { $1.distance(to: $0) > longestGap }
        return gap?.0 ?? sorted.last
    }

    /// In days. The upstream has a few gaps of its own.
    private static let longestGap = 31

    /// Those of the days whose files are all there already.
    func find(_ days: Set<Day>) throws(StorageError) -> [Catalog.Change] {
        var changes: [Catalog.Change] = []
        for days in Dictionary(grouping: days, by: \.folder).values {
            changes += try allowed { () throws(StorageError) in
                guard let folder = try Tree.existingFolder(of: days[0], in: root) else { return [] }
                return try self.changes(in: folder, where: days.contains)
            }
        }
        return changes.filter { $0.status.state != .failed || $0.status.failure?.code != .missing }
    }

    /// Nothing is known of a month that may not be looked into.
    private func allowed(_ look: () throws(StorageError) -> [Catalog.Change]) throws(StorageError) -> [Catalog.Change] {
        do throws(StorageError) {
            return try look()
        } catch {
            guard error.isAboutPlace else { throw error }
            return []
        }
    }

    private func changes(in folder: Folder, where isWanted: (Day) -> Bool) throws(StorageError) -> [Catalog.Change] {
        var changes: [Catalog.Change] = []
        for name in try Tree.days(in: folder) where isWanted(name.day) {
            if let change = try change(name, in: folder) { changes.append(change) }
        }
        return changes
    }

    /// nil for what is not one of the mirror's JSON files: somebody else's things in the tree hold nothing up.
    ///
    /// The record is not read: title and text stand in the JSON, and its digest is made when it is asked for
    /// (`Archive.content`). Reading 11,000 records takes longer than all the rest.
    private func change(_ name: FileName, in folder: Folder) throws(StorageError) -> Catalog.Change? {
        guard let kept = try? StoredMetadata(name, in: folder), kept.members["date"]?.string == "\(name.day)",
            let title = kept.members["title"]?.string,
            let explanation = kept.members["explanation"]?.string
        else { return nil }
        let stored = StoredDay(
            name: name, title: title, hasText: !explanation.isEmpty, files: kept.files, fetched: kept.fetched,
            content: nil, json: Digest(of: kept.document), jsonBytes: kept.document.count)
        var status = DayStatus(day: name.day, state: try state(of: kept, name, in: folder), stored: stored)
        if status.state == .failed {
            status.failure = Failure(.missing)
        } else if let incomplete = kept.incomplete {
            (status.state, status.failure) = (.failed, incomplete.failure)
        }
        return Catalog.Change(status, title: title, explanation: explanation)
    }

    /// A day's JSON file read back, with its record.
    func kept(_ name: FileName) throws(StorageError) -> (metadata: StoredMetadata, picture: Picture)? {
        guard let folder = try Tree.existingFolder(of: name.day, in: root),
            let kept = try StoredMetadata(name, in: folder), let picture = read(kept.record), picture.day == name.day
        else { return nil }
        return (kept, picture)
    }

    private func state(of kept: StoredMetadata, _ name: FileName, in folder: Folder) throws(StorageError)
        -> DayStatus.State
    {
        for file in kept.files {
            let facts = try folder.facts(of: name.with(file.type.suffix))
            guard let facts, facts.isRegular, facts.bytes == file.bytes else { return .failed }
        }
        if kept.files.isEmpty { return kept.isPruned ? .pruned : .placeholder }
        return kept.downgraded ? .downgraded : .mirrored
    }
}
