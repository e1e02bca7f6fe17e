internal import Apod
internal import Catalog
internal import Files

/// The files that the mirror has written of some days before. What else has a day's name is somebody's.
struct FormerFiles {
    /// Of each day that is there already.
    private(set) var files: [Day: Set<MediaType>] = [:]
    private(set) var replaced: [DayStatus] = []

    init(of names: [FileName], in catalog: Catalog) throws(StorageError) {
        for day in names.map(\.day) {
            guard let status = try catalog.status(of: day), let stored = status.stored else { continue }
            replaced.append(status)
            // Also those that were to be removed when the program was killed.
            files[day] = Set(stored.files.map(\.type)).union(try catalog.former(of: day))
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
        guard let document = try? folder.file(name)?.contents(atMost: CatalogRebuild.longest) else { return false }
        return StoredMetadata.isRecognisable(document, of: ready.name.day)
    }

    /// Of a day that is there, the catalog knows the JSON by its name.
    private func isKnown(_ suffix: String, of day: Day) -> Bool {
        guard let types = files[day] else { return false }
        return suffix == Metadata.suffix || types.contains { $0.suffix == suffix }
    }

    /// A picture that came back in another format has left the one before it.
    func remove(behind days: [StagedDay.Ready], _ tree: Tree) throws(ArchiveError) {
        for ready in days {
            let former = (files[ready.name.day] ?? []).subtracting(ready.types)
            if former.isEmpty { continue }
            try tree.wrapping(month: ready.name.folder) { () throws(StorageError) in
                let folder = try tree.folder(of: ready.name.day)
                for type in former {
                    let name = ready.name.with(type.suffix)
                    if try folder.facts(of: name)?.isRegular == true { try folder.remove(name) }
                }
                try folder.sync()
            }
        }
    }
}

extension StagedDay.Ready {
    /// Of the files that the day has now.
    var types: Set<MediaType> { Set(stagedDay.metadata.files.map(\.type)) }
}
