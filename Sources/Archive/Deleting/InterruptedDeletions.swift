import Apod
internal import Catalog
internal import Files

/// The days that were on their way out when the program was killed, or when the disk refused to delete more.
///
/// A day that has all its files is again what it was before it was marked: whether it goes, the next round decides. Of a
/// day that has lost a file, the rest goes only if it still is to; otherwise the day is asked for again.
struct InterruptedDeletions {
    let tree: Tree
    let catalog: Catalog
    let read: RecordReader
    let now: Int

    /// As they were before.
    private(set) var restored: [DayStatus] = []
    /// They have lost a file, and are no favorites.
    private(set) var halfGone: [DayStatus] = []
    /// Their JSON says already that they are gone.
    private(set) var gone: [DayStatus] = []

    init(tree: Tree, catalog: Catalog, read: @escaping RecordReader, at now: Int) throws(ArchiveError) {
        (self.tree, self.catalog, self.read, self.now) = (tree, catalog, read, now)
        for day in try ArchiveError.wrapping(step: try catalog.marked()) {
            // What cannot be looked at stays marked.
            do throws(ArchiveError) {
                try tree.wrapping(month: day.folder, step: try sort(day))
            } catch { if error.isGeneral { throw error } }
        }
    }

    private mutating func sort(_ day: Day) throws(StorageError) {
        guard let status = try catalog.status(of: day), let stored = status.stored else { return }
        if try !Tree.lacksFiles(of: stored, in: tree.root) { return restored.append(try beforeMark(status, stored)) }
        // A favorite is asked for as it is.
        if try catalog.isProtected(day, at: now) { return }
        if try kept(stored)?.isPruned == true { gone.append(status) } else { halfGone.append(status) }
    }

    private func kept(_ stored: StoredDay) throws(StorageError) -> StoredMetadata? {
        try CatalogRebuild(tree, read: read).kept(stored.name)?.metadata
    }

    /// A mark leaves all but the state as it was.
    private func beforeMark(_ status: DayStatus, _ stored: StoredDay) throws(StorageError) -> DayStatus {
        var status = status
        let isDowngraded = try kept(stored)?.downgraded == true
        status.state = status.failure != nil ? .failed : isDowngraded ? .downgraded : .mirrored
        return status
    }
}

extension DayStatus {
    /// To be asked for again.
    var halfDeleted: DayStatus {
        DayStatus(day: day, state: .failed, failure: Failure(.deleting), stored: stored)
    }
}
