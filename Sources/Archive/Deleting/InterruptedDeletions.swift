import Apod
internal import Catalog
internal import Files

/// Days whose deletion was cut off by a kill or an error of the disk.
///
/// A day with all its files gets its former status back, and the next round decides. If a file is gone, the rest is
/// deleted only if the settings still ask for it; otherwise the day is fetched again.
struct InterruptedDeletions {
    let tree: Tree
    let catalog: Catalog
    let rebuild: CatalogRebuild
    let now: Int

    /// Days with all their files, in their former status.
    private(set) var restored: [DayStatus] = []
    /// Days that lost a file and are not protected as favorites.
    private(set) var halfGone: [DayStatus] = []
    /// Days whose JSON already says that they were deleted.
    private(set) var gone: [DayStatus] = []

    init(tree: Tree, catalog: Catalog, rebuild: CatalogRebuild, at now: Int) throws(ArchiveError) {
        (self.tree, self.catalog, self.rebuild, self.now) = (tree, catalog, rebuild, now)
        for day in try ArchiveError.wrapping(step: try catalog.marked()) {
            // A day in a month that cannot be read stays marked.
            do throws(ArchiveError) {
                try tree.wrapping(month: day.folder, step: try sort(day))
            } catch { if error.isGeneral { throw error } }
        }
    }

    private mutating func sort(_ day: Day) throws(StorageError) {
        guard let status = try catalog.status(of: day), let stored = status.stored else { return }
        if try !Tree.lacksFiles(of: stored, in: tree.root) { return restored.append(try beforeMark(status, stored)) }
        // A favorite stays marked, and is fetched again as a favorite.
        if try catalog.isProtected(day, at: now) { return }
        let isGone = try rebuild.kept(stored.name)?.metadata.isPruned == true
        if isGone { gone.append(status) } else { halfGone.append(status) }
    }

    /// The status without the mark, which changes nothing but the state.
    private func beforeMark(_ status: DayStatus, _ stored: StoredDay) throws(StorageError) -> DayStatus {
        var status = status
        let isDowngraded = try rebuild.kept(stored.name)?.metadata.downgraded == true
        status.state = status.failure != nil ? .failed : isDowngraded ? .downgraded : .mirrored
        return status
    }
}

extension DayStatus {
    /// The status of a day that lost files and is to be fetched again.
    var halfDeleted: DayStatus {
        DayStatus(day: day, state: .failed, failure: Failure(.deleting), stored: stored)
    }
}
