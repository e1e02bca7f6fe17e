internal import Apod
internal import Catalog
internal import Files

/// The files that the mirror has written of some days before. What else has a day's name is somebody's.
struct FormerFiles {
    /// Of each day that is there already.
    private(set) var files: [Day: [StoredFile]] = [:]
    private(set) var replaced: [DayStatus] = []

    init(of names: [FileName], in catalog: Catalog) throws(StorageError) {
        for day in names.map(\.day) {
            guard let status = try catalog.status(of: day), let stored = status.stored else { continue }
            replaced.append(status)
            files[day] = stored.files
        }
    }

    /// Nothing is put in the place of a file that is not the mirror's.
    func refuseForeignFiles(in days: [StagedDay.Ready], _ tree: Tree) throws(ArchiveError) {
        for ready in days {
            let suffixes = ready.stagedDay.staged.keys + [Metadata.suffix]
            let taken = try tree.wrapping(month: ready.name.folder) { () throws(StorageError) -> String? in
                let folder = try tree.folder(of: ready.name.day)
                for suffix in suffixes where !isKnown(suffix, of: ready.name.day) {
                    let name = ready.name.with(suffix)
                    // A link is put aside like any other name, and what it leads to is not touched.
                    guard let facts = try folder.facts(of: name), facts.kind != .link else { continue }
                    if !isOwn(name, as: suffix, facts, in: folder, of: ready) { return folder.path(of: name) }
                }
                return nil
            }
            if let taken { throw .occupied(ready.name.day, path: taken) }
        }
    }

    /// What the day brings is there already, or a publication was cut off before the catalog knew of its files: all that
    /// the mirror writes has the time of its day.
    private func isOwn(
        _ name: String, as suffix: String, _ facts: File.Facts, in folder: Folder, of ready: StagedDay.Ready
    ) -> Bool {
        guard facts.isRegular else { return false }
        if suffix == Metadata.suffix { return isOwnMetadata(name, in: folder, of: ready) }
        let wasCutOff = replaced.first { $0.day == ready.name.day }?.isInterrupted ?? true
        if wasCutOff, facts.modified == ready.name.day.noon { return true }
        let new = ready.stagedDay.metadata.files.first { $0.type.suffix == suffix }
        guard let new, new.bytes == facts.bytes, let file = try? folder.file(name) else { return false }
        return (try? Digest(of: file)) == new.sha256
    }

    /// What the mirror writes into a day's JSON nobody else does; a catalog that was made anew need not know of it.
    private func isOwnMetadata(_ name: String, in folder: Folder, of ready: StagedDay.Ready) -> Bool {
        // What cannot be read is somebody's.
        guard let document = try? folder.file(name)?.contents(atMost: StoredMetadata.longest) else { return false }
        return StoredMetadata.isRecognisable(document, of: ready.name.day)
    }

    /// Of a day that is there, the catalog knows the JSON by its name.
    private func isKnown(_ suffix: String, of day: Day) -> Bool {
        guard let files = files[day] else { return false }
        return suffix == Metadata.suffix || files.contains { $0.type.suffix == suffix }
    }

    /// What gives way to the new files of the days, in the tree of now. What is there with the new bytes stays.
    func leaving(behind days: [StagedDay.Ready], _ tree: Tree) throws(ArchiveError) -> [ReplacedFiles.Leaving] {
        var leaving: [ReplacedFiles.Leaving] = []
        for ready in days {
            try tree.wrapping(month: ready.name.folder) { () throws(StorageError) in
                let month = try tree.folder(of: ready.name.day)
                var files: [String: Bool] = [:]
                for suffix in Set(ready.stagedDay.staged.keys).union(suffixesLeft(by: ready)) {
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

    /// Whether a file that gives way is damaged; nil where the one that comes has the same bytes.
    private func damage(_ suffix: String, _ ready: StagedDay.Ready, in month: Folder) throws(StorageError) -> Bool? {
        let old = files[ready.name.day]?.first { $0.type.suffix == suffix }
        let new = ready.stagedDay.metadata.files.first { $0.type.suffix == suffix }
        // As when it had its name already before the batch failed.
        if let new, (try? month.has(new, as: ready.name, byContent: true)) == true { return nil }
        if let old, !ready.stagedDay.damaged.contains(old.type) { return new?.sha256 == old.sha256 ? nil : false }
        return true
    }

    /// Of former files whose names no new file has.
    func suffixesLeft(by ready: StagedDay.Ready) -> Set<String> {
        let new = ready.stagedDay.metadata.files.map(\.type.suffix)
        return Set((files[ready.name.day] ?? []).map(\.type.suffix)).subtracting(new)
    }

    /// They have their second place already.
    func remove(behind days: [StagedDay.Ready], _ tree: Tree) throws(ArchiveError) {
        for ready in days {
            let left = suffixesLeft(by: ready)
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
