internal import Apod
internal import Catalog
internal import Files

/// The files that the catalog lists for days about to be stored. Other files may be somebody else's.
struct FormerFiles {
    /// The days that were stored before.
    private(set) var former: [Day: DayStatus] = [:]

    init(of names: [FileName], in catalog: Catalog) throws(StorageError) {
        for day in names.map(\.day) {
            if let status = try catalog.status(of: day), status.stored != nil { former[day] = status }
        }
    }

    private func files(of day: Day) -> [StoredFile]? { former[day]?.stored?.files }

    /// Throws `.occupied` rather than replace a file that is not the mirror's.
    func refuseForeignFiles(in days: [StagedDay.Ready], _ tree: Tree) throws(ArchiveError) {
        for ready in days {
            let suffixes = ready.stagedDay.staged.keys + [Metadata.suffix]
            let taken = try tree.wrapping(month: ready.name.folder) { () throws(StorageError) -> String? in
                let folder = try tree.folder(of: ready.name.day)
                for suffix in suffixes where !isKnown(suffix, of: ready.name.day) {
                    let name = ready.name.with(suffix)
                    // A link may be replaced: the file that it leads to is not touched.
                    guard let facts = try folder.facts(of: name), facts.kind != .link else { continue }
                    if !isOwn(name, as: suffix, facts, in: folder, of: ready) { return folder.path(of: name) }
                }
                return nil
            }
            if let taken { throw .occupied(path: taken) }
        }
    }

    /// Whether an unlisted file is the mirror's: it has the new bytes, or was left when a publication was cut off. All
    /// that the mirror stores has its day's noon as modification time.
    private func isOwn(
        _ name: String, as suffix: String, _ facts: File.Facts, in folder: Folder, of ready: StagedDay.Ready
    ) -> Bool {
        guard facts.isRegular else { return false }
        if suffix == Metadata.suffix { return isOwnMetadata(name, in: folder, of: ready) }
        let wasCutOff = former[ready.name.day]?.isInterrupted ?? true
        if wasCutOff, facts.modified == ready.name.day.noon { return true }
        let new = ready.stagedDay.metadata.files.first { $0.type.suffix == suffix }
        guard let new, new.bytes == facts.bytes, let file = try? folder.file(name) else { return false }
        return (try? Digest(of: file)) == new.sha256
    }

    /// Whether a JSON file can only be the mirror's. A catalog that was made again may not list it.
    private func isOwnMetadata(_ name: String, in folder: Folder, of ready: StagedDay.Ready) -> Bool {
        // A file that cannot be read counts as somebody else's.
        guard let document = try? folder.file(name)?.contents(atMost: StoredMetadata.longest) else { return false }
        return StoredMetadata.isRecognisable(document, of: ready.name.day)
    }

    /// Whether the catalog lists the file. It lists the JSON of each stored day.
    private func isKnown(_ suffix: String, of day: Day) -> Bool {
        guard let files = files(of: day) else { return false }
        return suffix == Metadata.suffix || files.contains { $0.type.suffix == suffix }
    }

    /// The files in the tree that the new ones replace. A file that has the new bytes already stays.
    func leaving(behind days: [StagedDay.Ready], _ tree: Tree) throws(ArchiveError) -> [ReplacedFiles.Leaving] {
        var leaving: [ReplacedFiles.Leaving] = []
        for ready in days {
            try tree.wrapping(month: ready.name.folder) { () throws(StorageError) in
                let month = try tree.folder(of: ready.name.day)
                var files: [String: Bool] = [:]
                for suffix in Set(ready.stagedDay.staged.keys).union(obsoleteSuffixes(by: ready)) {
                    guard try month.facts(of: ready.name.with(suffix))?.isRegular == true else { continue }
                    if let isDamaged = try damage(suffix, ready, in: month) { files[suffix] = isDamaged }
                }
                guard !files.isEmpty else { return }
                leaving.append(
                    .init(name: ready.name, month: month, moment: ready.stagedDay.moment, files: files))
            }
        }
        return leaving
    }

    /// Whether the old file is damaged, or not listed; nil if it has the new file's bytes.
    private func damage(_ suffix: String, _ ready: StagedDay.Ready, in month: Folder) throws(StorageError) -> Bool? {
        let old = files(of: ready.name.day)?.first { $0.type.suffix == suffix }
        let new = ready.stagedDay.metadata.files.first { $0.type.suffix == suffix }
        // The new file may be in place already, as when a batch failed later.
        if let new, (try? month.has(new, as: ready.name, byContent: true)) == true { return nil }
        if let old, !ready.stagedDay.damaged.contains(old.type) { return new?.sha256 == old.sha256 ? nil : false }
        return true
    }

    /// The suffixes of former files whose names no new file takes.
    func obsoleteSuffixes(by ready: StagedDay.Ready) -> Set<String> {
        let new = ready.stagedDay.metadata.files.map(\.type.suffix)
        return Set((files(of: ready.name.day) ?? []).map(\.type.suffix)).subtracting(new)
    }

    /// Removes former files whose names no new file takes. `ReplacedFiles` already holds them.
    func remove(behind days: [StagedDay.Ready], _ tree: Tree) throws(ArchiveError) {
        for ready in days {
            let left = obsoleteSuffixes(by: ready)
            if left.isEmpty { continue }
            try tree.wrapping(month: ready.name.folder) { () throws(StorageError) in
                let folder = try tree.folder(of: ready.name.day)
                for name in left.map(ready.name.with) where try folder.facts(of: name)?.isRegular == true {
                    try folder.remove(name)
                }
                try folder.sync()
            }
        }
    }
}
