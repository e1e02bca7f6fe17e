import Apod
import Files
import Glibc

/// What gives way to an item that is about to be stored.
struct FormerState {
    let ready: StagedDay.Ready
    let month: Folder
    /// The JSON that is there; nil where there is none of the mirror's that can be read.
    private(set) var document: Document?
    /// Its files that are whole and are not the item's any more.
    private(set) var leaving: [StoredFile] = []
    /// The names of what is there instead of the item's files: damaged, or somebody's own.
    private(set) var strangers: [String] = []
    /// Whether it becomes a version.
    private(set) var isKept = false
    /// Whether a person asked for that (`revert`).
    private(set) var isReverted = false

    private var name: FileName { ready.name }
    private var new: [StoredFile] { ready.stagedDay.document.files }

    /// Throws for a month that cannot be written, as each attempt would keep its files again, and for a file that a person has
    /// changed and nobody has asked to mend: it stays, and the item with it.
    init(_ ready: StagedDay.Ready, in tree: Tree, read: RecordReader) throws {
        self.ready = ready
        month = try tree.writableFolder(of: ready.name)
        let json = name.with(FileName.json)
        document = try ready.stagedDay.former ?? Document.ifReadable { [month, name] in try Document(name, in: month) }
        let staged = ready.stagedDay.staged
        for file in staged.keys.map(name.with(ending:)) + [json] where try month.facts(of: file)?.kind == .folder {
            throw Problem("replace", month.path(of: file), code: EISDIR)
        }
        let former = Dictionary(document?.files.map { ($0.ending, $0) } ?? []) { first, _ in first }
        for ending in Set(staged.keys).union(former.keys).sorted() {
            guard try month.facts(of: name.with(ending: ending))?.isRegular == true else { continue }
            let (old, new) = (former[ending], new.first { $0.ending == ending })
            // The new file may be in place already, as when a batch failed later.
            if let new, (try? month.has(new, as: name, byContent: true)) == true { continue }
            // After a kill, nobody knows any more that it was damaged.
            if let old, old.sha256 != new?.sha256, !ready.stagedDay.damaged.contains(ending),
                try month.has(old, as: name, byContent: true)
            {
                leaving.append(old)
            } else if new == nil || staged[ending] != nil {
                if let old, !ready.stagedDay.damaged.contains(ending), try month.isEdited(old, as: name) {
                    throw Problem(.edited, path: month.path(of: name.with(old)))
                }
                strangers.append(name.with(ending: ending))
            }
        }
        guard let document else {
            if try month.facts(of: json)?.isRegular == true { strangers.append(json) }
            return
        }
        let digest = document.digest(by: read)
        isKept = !leaving.isEmpty || digest != ready.stagedDay.picture?.content
        if !isKept { isKept = try tree.versions.hasBegun(document, without: new) }
        isReverted = document.isSetAside(leaving, digest, by: ready.stagedDay.document.mirror.setAside)
    }

    /// The names of former files that no new file takes.
    var dropped: [String] {
        let taken = new.map(name.with) + [name.with(FileName.json)]
        return (leaving.map(name.with) + strangers).filter { !taken.contains($0) }
    }
}
