internal import Apod
internal import Catalog
internal import Files
import Glibc

/// What gives way to days about to be stored: the files that the catalog lists, or the JSON that is still there, and that
/// JSON where the record is another one. Another file that has a new one's name is kept like one that was found damaged.
struct FormerFiles {
    /// The files of the days that were stored before.
    private var former: [Day: [StoredFile]] = [:]
    private let read: RecordReader

    init(of names: [FileName], in catalog: Catalog, _ tree: Tree, read: @escaping RecordReader) throws(StorageError) {
        self.read = read
        for name in names {
            guard let files = try catalog.status(of: name.day)?.stored?.files else { continue }
            // After a kill, the catalog lists the new ones.
            let document = try DayDocument.of(name, in: tree.root)
            let others = document?.files.filter { file in !files.contains { $0.ending == file.ending } }
            former[name.day] = files + (others ?? [])
        }
    }

    /// What is in the tree and the new days replace. A file that has the new bytes already stays. Throws for a month
    /// that cannot be written: each attempt would keep its files again.
    func versions(before days: [StagedDay.Ready], _ tree: Tree) throws(ArchiveError) -> [ReplacedFiles.NewVersion] {
        var versions: [ReplacedFiles.NewVersion] = []
        for ready in days {
            try tree.wrapping(month: ready.name.folder) { () throws(StorageError) in
                let month = try tree.writableFolder(of: ready.name)
                let new =
                    ready.stagedDay.staged.keys.map(ready.name.with(ending:))
                    + [ready.name.with(Metadata.suffix)]
                for name in new where try month.facts(of: name)?.kind == .folder {
                    throw StorageError("replace", month.path(of: name), code: EISDIR)
                }
                var files: [String: Bool] = [:]
                for ending in Set(ready.stagedDay.staged.keys).union(formerEndings(without: ready)) {
                    guard try month.facts(of: ready.name.with(ending: ending))?.isRegular == true else { continue }
                    if let isDamaged = try damage(ending, ready, in: month) { files[ending] = isDamaged }
                }
                let keepsJSON = try keepsJSON(ready, in: month, of: tree)
                guard keepsJSON || !files.isEmpty else { return }
                versions.append(
                    .init(name: ready.name, month: month, moment: ready.stagedDay.moment, files: files))
            }
        }
        return versions
    }

    /// Whether the old file is damaged, or not listed; nil if it has the new file's bytes.
    private func damage(_ ending: String, _ ready: StagedDay.Ready, in month: Folder) throws(StorageError) -> Bool? {
        let old = former[ready.name.day]?.first { $0.ending == ending }
        let new = ready.stagedDay.metadata.files.first { $0.ending == ending }
        // The new file may be in place already, as when a batch failed later.
        if let new, (try? month.has(new, as: ready.name, byContent: true)) == true { return nil }
        if let old, !ready.stagedDay.damaged.contains(ending) { return new?.sha256 == old.sha256 ? nil : false }
        return true
    }

    /// Whether the JSON here is kept: it is another file, or tells of another record. One of a new day was left by a kill.
    private func keepsJSON(_ ready: StagedDay.Ready, in month: Folder, of tree: Tree) throws(StorageError) -> Bool {
        guard try month.facts(of: ready.name.with(Metadata.suffix))?.isRegular == true else { return false }
        guard let document = try DayDocument.of(ready.name, in: tree.root) else { return true }
        return former[ready.name.day] != nil
            && read(document.record, ready.name)?.content != ready.stagedDay.metadata.picture.content
    }

    /// The endings of former files whose names no new file takes.
    func formerEndings(without ready: StagedDay.Ready) -> Set<String> {
        let new = ready.stagedDay.metadata.files.map(\.ending)
        return Set((former[ready.name.day] ?? []).map(\.ending)).subtracting(new)
    }

    /// Removes former files whose names no new file takes. `ReplacedFiles` already holds them.
    func remove(behind ready: StagedDay.Ready, in month: Folder) throws(StorageError) {
        for name in formerEndings(without: ready).map(ready.name.with(ending:))
        where try month.facts(of: name)?.isRegular == true { try month.remove(name) }
    }
}
