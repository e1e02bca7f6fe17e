internal import Apod
internal import Catalog
internal import Files

/// Gives the files of some days their final names, the JSON last, and records the days in the catalog.
///
/// The order makes every interruption safe: what is replaced is kept first (`ReplacedFiles`), then come the new
/// files, their JSON, the catalog and the `latest` links. Each step refers only to what is on the disk.
/// `InterruptedReplacements` finishes or undoes the rest when the mirror is opened again.
struct Publication {
    let tree: Tree
    let catalog: Catalog
    let days: [StagedDay.Ready]
    let read: RecordReader

    /// Returns whether anything was replaced.
    func run() throws(ArchiveError) -> Bool {
        let formerFiles = try ArchiveError.wrapping(
            step: try FormerFiles(of: days.map(\.name), in: catalog, read: read))
        let leaving = try formerFiles.leaving(behind: days, tree)
        let pruned = Set(days.filter(\.staysPruned).map(\.name.day))
        try mark(formerFiles.former.values.filter { !pruned.contains($0.day) })
        try ArchiveError.wrapping(step: try tree.replaced.keep(leaving, staging: tree.unfinished))
        try publish()
        // A day stays marked until its former files are gone.
        let left = Set(days.filter { !formerFiles.obsoleteEndings(by: $0).isEmpty }.map(\.name.day))
        try record(days) { left.contains($0.name.day) ? $0.status.interrupted : $0.status }
        try ArchiveError.wrapping(step: try tree.pointLatest(by: catalog))
        if left.isEmpty { return !leaving.isEmpty }
        try formerFiles.remove(behind: days, tree)
        try record(days.filter { left.contains($0.name.day) }, \.status)
        return true
    }

    /// Marks days as failed while they are being replaced.
    private func mark(_ replaced: [DayStatus]) throws(ArchiveError) {
        if replaced.isEmpty { return }
        try ArchiveError.wrapping(step: try catalog.record(replaced.map { Catalog.Change($0.interrupted) }))
    }

    private func record(
        _ days: [StagedDay.Ready], _ status: (StagedDay.Ready) -> DayStatus
    ) throws(ArchiveError) {
        let changes = days.map { Catalog.Change(status($0), $0.stagedDay.metadata.picture) }
        try ArchiveError.wrapping(step: try catalog.record(changes))
    }

    private func publish() throws(ArchiveError) {
        var folders: [String: Folder] = [:]
        for ready in days where folders[ready.name.folder] == nil {
            let month = ready.name.folder
            folders[month] = try tree.wrapping(month: month, step: try tree.folder(month))
        }
        try place(in: folders) { ready, folder throws(StorageError) in
            for (ending, file) in ready.stagedDay.staged {
                try file.publish(in: folder, as: ready.name.with(ending: ending))
            }
        }
        try sync(folders)
        try place(in: folders) { ready, folder throws(StorageError) in
            try ready.json.publish(in: folder, as: ready.name.with(Metadata.suffix))
        }
        for (month, folder) in folders { tree.hideFiles(in: folder, month) }
        try sync(folders)
    }

    private func place(
        in folders: [String: Folder], _ step: (StagedDay.Ready, Folder) throws(StorageError) -> Void
    ) throws(ArchiveError) {
        for ready in days {
            let month = ready.name.folder
            try tree.wrapping(month: month, step: try step(ready, folders[month]!))
        }
    }

    private func sync(_ folders: [String: Folder]) throws(ArchiveError) {
        for (month, folder) in folders {
            try tree.wrapping(month: month, step: try folder.sync())
        }
    }
}

extension StagedDay.Ready {
    /// Whether only the JSON of a pruned day changes. A mark would have it fetched, only to be deleted again.
    fileprivate var staysPruned: Bool { status.state == .pruned && stagedDay.staged.isEmpty }
}

extension DayStatus {
    var interrupted: DayStatus {
        var status = self
        status.state = .failed
        status.failure = Failure(.replacing)
        status.retryAfter = nil
        return status
    }
}
