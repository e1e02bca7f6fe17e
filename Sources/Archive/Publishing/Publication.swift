internal import Apod
internal import Catalog
internal import Files

/// Gives the files of some days their final names, records the days in the catalog, and names their JSON last.
///
/// The order makes every interruption safe: what is replaced is kept first (`ReplacedFiles`), then come the new files, the
/// catalog, the end of former files, the JSON and the `latest` links. Each step refers only to what is on the disk. A day whose JSON is still in `unfinished` is stored once more when the mirror is opened (`UnfinishedDays`),
/// so each step leaves alone what is done.
struct Publication {
    let tree: Tree
    let catalog: Catalog
    let days: [StagedDay.Ready]
    let read: RecordReader

    /// Returns whether anything was replaced.
    func run() throws(ArchiveError) -> Bool {
        let formerFiles = try ArchiveError.wrapping(
            step: try FormerFiles(of: days.map(\.name), in: catalog, tree, read: read))
        let former = try formerFiles.versions(before: days, tree)
        try ArchiveError.wrapping(step: try tree.replaced.keep(former, staging: tree.unfinished))
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
        // Behind the JSON, nobody would do it again after a power cut.
        let documents = days.map { $0.name.with(Metadata.suffix) }
        for (month, folder) in folders { tree.hideFiles(in: folder, month, coming: documents) }
        try sync(folders)
        let changes = days.map { Catalog.Change($0.status, $0.stagedDay.metadata.picture) }
        _ = try ArchiveError.wrapping(step: try catalog.record(changes))
        if days.contains(where: { !formerFiles.formerEndings(without: $0).isEmpty }) {
            // What goes may be what `latest` leads to.
            try ArchiveError.wrapping(step: try tree.pointLatest(by: catalog))
            try place(in: folders) { ready, folder throws(StorageError) in
                try formerFiles.remove(behind: ready, in: folder)
            }
            try sync(folders)
        }
        try place(in: folders) { ready, folder throws(StorageError) in
            try ready.json.publish(in: folder, as: ready.name.with(Metadata.suffix))
        }
        try sync(folders)
        try ArchiveError.wrapping(step: try tree.pointLatest(by: catalog))
        return !former.isEmpty
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
