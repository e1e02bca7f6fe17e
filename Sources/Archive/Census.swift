internal import Apod
internal import Files

/// Reads back from the tree what the catalog should know.
struct Census {
    private let root: Folder
    private let read: Archive.Reader

    init(_ root: Folder, read: @escaping Archive.Reader) {
        self.root = root
        self.read = read
    }

    /// All days of the tree, in one transaction: a catalog is complete or empty.
    func enter(into catalog: Catalog) throws(ArchiveError) {
        var changes: [Catalog.Change] = []
        for year in try names(in: root) where year.utf8.count == 4 {
            guard let yearFolder = try folder(year, in: root) else { continue }
            for month in try names(in: yearFolder) where month.utf8.count == 2 {
                guard let monthFolder = try folder(month, in: yearFolder) else { continue }
                changes += try days(in: monthFolder) { $0.folder == "\(year)/\(month)" }
            }
        }
        try ArchiveError.wrapping { () throws(CatalogError) in
            try catalog.record(changes)
            if let oldest = changes.map(\.standing.day).min() { try catalog.setFact(.since, oldest.number) }
        }
    }

    /// Those of the days whose files are all there already.
    func find(_ days: Set<Day>) throws(ArchiveError) -> [Catalog.Change] {
        var changes: [Catalog.Change] = []
        for (_, days) in Dictionary(grouping: days, by: \.folder) {
            let folder = try ArchiveError.wrapping { () throws(DiskError) in
                try Tree.existingFolder(of: days[0], in: root)
            }
            guard let folder else { continue }
            changes += try self.days(in: folder, where: days.contains).filter { $0.standing.state != .failed }
        }
        return changes
    }

    private func days(in folder: Folder, where wanted: (Day) -> Bool) throws(ArchiveError) -> [Catalog.Change] {
        var changes: [Catalog.Change] = []
        for file in try names(in: folder) {
            guard let name = FileName(file, suffix: Metadata.suffix), wanted(name.day) else { continue }
            if let change = try? change(name, in: folder) { changes.append(change) }
        }
        return changes
    }

    /// nil for a JSON file that is not one of the mirror's.
    private func change(_ name: FileName, in folder: Folder) throws(DiskError) -> Catalog.Change? {
        guard let bytes = try folder.file(name.with(Metadata.suffix))?.contents(atMost: 64 << 20),
            let document = try? JSONText(bytes), let kept = KeptMetadata(document, name: name),
            let picture = read(kept.record), picture.day == name.day
        else { return nil }
        let entry = Entry(
            name: name, title: picture.title, hasText: !picture.explanation.isEmpty, files: kept.files,
            fetched: kept.fetched, content: picture.content, json: Digest(of: bytes), jsonBytes: bytes.count)
        let standing = Standing(day: name.day, state: try state(of: kept, name, in: folder), entry: entry)
        return Catalog.Change(standing, picture)
    }

    private func state(of kept: KeptMetadata, _ name: FileName, in folder: Folder) throws(DiskError) -> Standing.State {
        for file in kept.files {
            let facts = try folder.facts(of: name.with(file.type.suffix))
            guard let facts, facts.isRegular, facts.bytes == file.bytes else { return .failed }
        }
        if kept.files.isEmpty { return .placeholder }
        return kept.downgraded ? .downgraded : .mirrored
    }

    private func names(in folder: Folder) throws(ArchiveError) -> [String] {
        try ArchiveError.wrapping { () throws(DiskError) in try folder.names() }
    }

    /// nil also for what is not a folder.
    private func folder(_ name: String, in folder: Folder) throws(ArchiveError) -> Folder? {
        try ArchiveError.wrapping { () throws(DiskError) in
            guard try folder.facts(of: name)?.isFolder == true else { return nil }
            return try folder.folder(name)
        }
    }
}
