import Apod
import Files

/// The days whose storing was cut off. The JSON of such a day is still in `unfinished`, as it gets its name last
/// (`Publication`). The day is stored again from what is there, whichever steps were done.
struct UnfinishedDays {
    let tree: Tree
    let catalog: Catalog
    let read: RecordReader

    /// Returns the keys of what is stored.
    func store() throws -> [Key] {
        var keys: [Key] = []
        for name in try tree.unfinished.names().compactMap(FileName.init(unfinished:)) {
            // Errors are ignored: the next start tries again.
            if (try? store(name)) == true { keys.append(name.key) }
        }
        return keys
    }

    private func store(_ name: FileName) throws -> Bool {
        guard let day = try day(name) else {
            try tree.unfinished.remove(name.unfinished)
            return false
        }
        // As it is: while it is written again, a kill would lose it.
        guard let file = try tree.unfinished.file(name.unfinished) else { return false }
        let json = try Staged(file, in: tree.unfinished, as: name.unfinished, bytes: day.document.bytes.count)
        let ready = day.ready(as: json)
        try Publication(tree: tree, catalog: catalog, days: [ready], read: read).run()
        return true
    }

    /// Returns nil if not all files of the JSON are there: the day is as before.
    private func day(_ name: FileName) throws -> StagedDay? {
        let known = try catalog.item(of: name.key)?.stored
        guard known == nil || known?.name == name,
            try name.list.map({ list in try !Tree.isGone(list, in: tree.root) }) ?? true,
            let document = try Document(name, in: tree.unfinished, as: name.unfinished)
        else { return nil }
        let month = try tree.folder(name.folder)
        // One that was reverted keeps the time of its fetch.
        let written = try tree.unfinished.facts(of: name.unfinished)?.modified ?? document.mirror.fetched
        func isHere(_ file: StoredFile) throws -> Bool { try month.has(file, as: name, byContent: true) }
        var staged: [String: Staged] = [:]
        for file in document.files where try !isHere(file) {
            guard let found = try self.staged(file, besides: staged.values.map(\.name)) else { return nil }
            staged[file.ending] = found
        }
        var damaged: Set<String> = []
        for file in known?.files ?? [] where try !isHere(file) { damaged.insert(file.ending) }
        return StagedDay(
            document, read(document.record, name), staged: staged, damaged: damaged,
            moment: max(document.mirror.fetched, written))
    }

    private func staged(_ file: StoredFile, besides taken: [String]) throws -> Staged? {
        let unfinished = tree.unfinished
        for name in try unfinished.names() where !taken.contains(name) {
            guard try unfinished.has(name, bytes: file.bytes, sha256: file.sha256),
                let found = try unfinished.file(name)
            else { continue }
            return try Staged(found, in: unfinished, as: name, bytes: file.bytes)
        }
        return nil
    }
}

extension FileName {
    /// The name of the JSON while it is not published: those of all lists are in one folder.
    var unfinished: String { (list.map { "\($0)+" } ?? "") + with(FileName.json) }

    /// Reads that back.
    init?(unfinished file: String) {
        let plus = file.utf8.firstIndex(of: "+")
        guard let plus, let list = ListName(file[..<plus]) else {
            self.init(file, suffix: FileName.json)
            return
        }
        self.init(String(file[file.utf8.index(after: plus)...]), suffix: FileName.json, of: list)
    }
}
