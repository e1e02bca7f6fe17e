internal import Apod
internal import Catalog
internal import Files

/// Gives the files of some days their final names, the JSON last, and remembers them.
///
/// In this order, so that wherever it is cut off nothing is half there: what has a final name is whole, a JSON file's
/// files are there, the catalog knows only what is there, and `latest` leads to a file.
struct Publication {
    let tree: Tree
    let catalog: Catalog
    let days: [StagedDay.Ready]

    func run() throws(ArchiveError) {
        let formerFiles = try ArchiveError.wrapping(step: try FormerFiles(of: days.map(\.name), in: catalog))
        try formerFiles.refuseForeignFiles(in: days, tree)
        let pruned = Set(days.filter(\.staysPruned).map(\.name.day))
        try mark(formerFiles.replaced.filter { !pruned.contains($0.day) })
        try publish()
        // What is replaced is not done before its former files are gone; until then the catalog names them.
        try record { ready in
            guard let former = formerFiles.files[ready.name.day] else { return (ready.status, nil) }
            return (ready.staysPruned ? ready.status : ready.status.interrupted, former.subtracting(ready.types))
        }
        try ArchiveError.wrapping(step: try tree.pointLatest(by: catalog))
        if formerFiles.replaced.isEmpty { return }
        let incomplete = try daysWithLosses()
        // What is not complete takes nothing away.
        let complete = days.filter { !incomplete.contains($0.name.day) && $0.status.state != .failed }
        try formerFiles.remove(behind: complete, tree)
        let done = Set(complete.map(\.name.day))
        try record { ready in
            let day = ready.name.day
            return (
                incomplete.contains(day) ? ready.status.interrupted : ready.status, done.contains(day) ? [] : nil
            )
        }
    }

    /// The days whose other files, which were to stay as they are, were deleted meanwhile.
    private func daysWithLosses() throws(ArchiveError) -> Set<Day> {
        var days: Set<Day> = []
        for ready in self.days where ready.stagedDay.staged.count < ready.stagedDay.metadata.files.count {
            try tree.wrapping(month: ready.name.folder) { () throws(StorageError) in
                let folder = try tree.folder(of: ready.name.day)
                for type in ready.stagedDay.metadata.files.map(\.type) {
                    if try folder.facts(of: ready.name.with(type.suffix)) == nil { days.insert(ready.name.day) }
                }
            }
        }
        return days
    }

    /// While a day is replaced, the catalog knows it as failed: cut off in between, the next sync does it again.
    private func mark(_ replaced: [DayStatus]) throws(ArchiveError) {
        if replaced.isEmpty { return }
        try ArchiveError.wrapping(step: try catalog.record(replaced.map { Catalog.Change($0.interrupted) }))
    }

    /// With what of each day's former files is still to be removed; nil: as before.
    private func record(_ outcome: (StagedDay.Ready) -> (DayStatus, former: Set<MediaType>?)) throws(ArchiveError) {
        let changes = days.map { ready in
            let (status, former) = outcome(ready)
            return Catalog.Change(status, ready.stagedDay.metadata.picture, former: former)
        }
        try ArchiveError.wrapping(step: try catalog.record(changes))
    }

    private func publish() throws(ArchiveError) {
        var folders: [String: Folder] = [:]
        for ready in days where folders[ready.name.folder] == nil {
            let month = ready.name.folder
            folders[month] = try tree.wrapping(month: month, step: try tree.folder(of: ready.name.day))
        }
        try place(in: folders) { ready, folder throws(StorageError) in
            for (suffix, file) in ready.stagedDay.staged { try file.publish(in: folder, as: ready.name.with(suffix)) }
        }
        try sync(folders)
        try place(in: folders) { ready, folder throws(StorageError) in
            try ready.json.publish(in: folder, as: ready.name.with(Metadata.suffix))
        }
        for (month, folder) in folders { tree.hideJSON(in: folder, month) }
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
    /// Nothing but the JSON changes: cut off, the day is not to be asked for, only to have its files deleted again.
    fileprivate var staysPruned: Bool { status.state == .pruned && stagedDay.staged.isEmpty }
}

extension DayStatus {
    var interrupted: DayStatus {
        var status = self
        status.state = .failed
        status.reason = Interruption.replaced.rawValue
        status.retryAfter = nil
        return status
    }

    var isInterrupted: Bool { state == .failed && reason == Interruption.replaced.rawValue }
}
