internal import Apod
internal import Catalog
internal import Files

/// The days that were being replaced when the program was killed. A day is finished if all its new files are in place,
/// and otherwise undone. If neither works, it is fetched again.
struct InterruptedReplacements {
    let tree: Tree
    let catalog: Catalog
    let rebuild: CatalogRebuild

    private var replaced: ReplacedFiles { tree.replaced }

    /// Returns the days whose files match their JSON.
    func run() throws(StorageError) -> [Day] {
        let days = try catalog.interrupted()
        if days.isEmpty { return [] }
        let versions = try replaced.versions(of: Set(days).contains)
        // Errors are ignored: the next start tries again.
        for day in days { try? settle(day, versions[day] ?? []) }
        var changes = try rebuild.find(Set(days))
        for index in changes.indices {
            // Without validators, which no JSON has, nobody asks the server whether the file has changed.
            let known = try catalog.status(of: changes[index].status.day)?.stored?.files ?? []
            for (place, file) in (changes[index].status.stored?.files ?? []).enumerated() {
                let same = known.first { $0.sha256 == file.sha256 && $0.address == file.address }
                changes[index].status.stored?.files[place].validators = same?.validators
            }
        }
        try catalog.record(changes)
        return changes.map(\.status.day)
    }

    private func settle(_ day: Day, _ versions: [ReplacedFiles.Version]) throws(StorageError) {
        guard let name = try catalog.status(of: day)?.stored?.name,
            let month = try Tree.existingFolder(name.folder, in: tree.root)
        else { return }
        try finishJSON(name, behind: versions.last, in: month)
        guard let document = try rebuild.kept(name)?.document else { return }
        let files = document.files
        guard let last = versions.last else { return }
        for file in files where try !month.has(file, as: name, byContent: true) {
            let entry = last.files[file.ending]
            guard let entry, try replaced.digest(of: entry) == file.sha256 else { continue }
            try replaced.putBack(file.ending, of: last, to: month)
        }
        guard let now = try replaced.versions(of: { $0 == day })[day]?.last else { return }
        try removeSecondNames(now, name, document, in: month)
    }

    /// Publishes the new JSON if the former one is kept, as the last version, and all its files are in place. It was
    /// staged before any of them got its name.
    private func finishJSON(
        _ name: FileName, behind last: ReplacedFiles.Version?, in month: Folder
    ) throws(StorageError) {
        guard let last, let kept = try replaced.former(last)?.bytes,
            try kept == month.file(name.with(Metadata.suffix))?.contents(atMost: DayDocument.longest)
        else { return }
        let staged = "\(name.day).json"
        guard let bytes = try tree.unfinished.file(staged)?.contents(atMost: DayDocument.longest),
            let kept = DayDocument(bytes, name: name)
        else { return }
        for file in kept.files where try !month.has(file, as: name, byContent: true) { return }
        try tree.unfinished.rename(staged, to: month, as: name.with(Metadata.suffix))
        try month.sync()
    }

    /// Removes second names: from the tree if the JSON does not list the file, or a version that is all in the tree.
    private func removeSecondNames(
        _ version: ReplacedFiles.Version, _ name: FileName, _ document: DayDocument, in month: Folder
    ) throws(StorageError) {
        // Of texts alone, the JSON that is here shows whether they were replaced.
        var isUndone = true
        if version.files.isEmpty { isUndone = try replaced.former(version)?.bytes == document.bytes }
        for (ending, entry) in version.files {
            let file = name.with(ending: ending)
            let isSame = try month.facts(of: file)?.identity == entry.identity
            if isSame, !document.files.contains(where: { $0.ending == ending }) {
                try month.remove(file)
                isUndone = false
            } else if !isSame {
                isUndone = false
            }
        }
        try month.sync()
        if isUndone { try replaced.remove(version, isUndone: true) }
    }
}
