import Apod
import Files

/// What a mirror had in another form: a catalog, a lock and unfinished files for each list (`FormerList`), and former
/// versions as flat files (`FlatVersions`). It is converted before the catalog is opened. Each step leaves alone what is
/// done, so it can be cut off anywhere and begins anew at the next start.
struct FormerForms {
    private let tree: Tree
    private let state: StateFolder
    private let read: RecordReader

    init(_ tree: Tree, _ state: StateFolder, read: @escaping RecordReader) {
        (self.tree, self.state, self.read) = (tree, state, read)
    }

    func convert() throws {
        if let flat = try tree.own.folder(Versions.folder) { try FlatVersions(tree, nil, flat, read).convert() }
        let lists = try tree.own.folder(Tree.lists)?.folders { ListName($0) != nil } ?? []
        for (name, own) in lists {
            guard let list = ListName(name) else { continue }
            if let flat = try own.folder(Versions.folder) {
                try FlatVersions(tree, list, flat, read).convert()
                try own.removeEmptyFolder(Versions.folder)
            }
            try convertUnfinished(list, own)
            try renameCopies(of: list)
            let state = try (try? Folder.open(state.path)).flatMap { state in
                try Tree.existingFolder(list.path(), in: state)
            }
            for folder in [own, state].compactMap(\.self) { try removeCatalog(from: folder) }
        }
    }

    private func convertUnfinished(_ list: ListName, _ own: Folder) throws {
        guard let unfinished = try own.folder(Tree.unfinishedName) else { return }
        for file in try unfinished.names() where try unfinished.facts(of: file)?.isRegular == true {
            let name = FileName(file, suffix: FileName.json, of: list)
            try unfinished.rename(file, to: tree.unfinished, as: name?.unfinished ?? file)
        }
        try own.removeEmptyFolder(Tree.unfinishedName)
    }

    /// The smaller copies had other keys.
    private func renameCopies(of list: ListName) throws {
        guard let copies = try Tree.existingFolder("\(GalleryFolder.name)/\(list.path())", in: tree.root) else {
            return
        }
        var keys: [String: String] = [:]
        for (path, folder) in try Tree.folders(in: tree.root, of: list) {
            for name in try Tree.days(in: folder, path) {
                let hash = name.stem.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
                    ($0 ^ UInt64($1)) &* 0x100_0000_01b3
                }
                let digits = String(1 + hash >> 2, radix: 16)
                keys[String(repeating: "0", count: 16 - digits.utf8.count) + digits] = name.day.key
            }
        }
        for file in try copies.names() {
            let (key, rest) = (String(file.prefix(16)), file.dropFirst(16))
            if let new = keys[key] { try copies.rename(file, to: copies, as: "\(new)\(rest)") }
        }
    }

    /// All that it says, the tree says, too.
    private func removeCatalog(from folder: Folder) throws {
        for file in try folder.names() where file.hasPrefix("catalog.sqlite") || ["lock", "running"].contains(file) {
            try folder.remove(file)
        }
    }
}

/// Former versions as flat files: `.apod-mirror/replaced/2026-11-20 Orion Rising.1.jpg`, or below `lists/cats` of a list.
/// They get folders (`Versions`).
private struct FlatVersions {
    private let tree: Tree
    private let list: ListName?
    private let flat: Folder
    private let read: RecordReader

    private static let damaged = ".damaged"

    private struct Parts: Hashable {
        let name: FileName
        let number: Int
    }

    private struct Entry {
        let file: String
        let ending: String
        let isDamaged: Bool
    }

    init(_ tree: Tree, _ list: ListName?, _ flat: Folder, _ read: @escaping RecordReader) {
        (self.tree, self.list, self.flat, self.read) = (tree, list, flat, read)
    }

    func convert() throws {
        var found: [Parts: [Entry]] = [:]
        for file in try flat.names() {
            guard let (parts, entry) = parse(file), try flat.facts(of: file)?.isRegular == true else { continue }
            found[parts, default: []].append(entry)
        }
        for (parts, entries) in found { try convert(parts, entries) }
        if !found.isEmpty { try flat.sync() }
    }

    /// Splits `2026-11-20 Orion Rising.1.damaged (2).jpg`; nil for another name.
    private func parse(_ file: String) -> (Parts, Entry)? {
        guard let stem = FileName.parts(of: file)?.stem else { return nil }
        let front = FileName.splitting(stem).front
        let isDamaged = front.utf8.reversed().starts(with: Self.damaged.utf8.reversed())
        let numbered = front.utf8.dropLast(isDamaged ? Self.damaged.utf8.count : 0).text
        guard let (stem, digits) = FileName.parts(of: numbered), let number = Int(digits), number > 0,
            "\(number)" == digits, let name = FileName(stem: stem, of: list)
        else { return nil }
        let ending = file.utf8.dropFirst(front.utf8.count).text
        return (Parts(name: name, number: number), Entry(file: file, ending: ending, isDamaged: isDamaged))
    }

    private func convert(_ parts: Parts, _ entries: [Entry]) throws {
        let json = entries.first { $0.ending == ".\(FileName.json)" && !$0.isDamaged }
        var document: Document?
        if let json {
            do {
                let bytes = try flat.file(json.file)?.contents(atMost: JSONText.longestDocument)
                document = bytes.flatMap { Document($0, name: parts.name) }
            } catch {
                if error.problem.isOfProcess { throw error }
                // The next start tries again.
                return
            }
        }
        if let document, try isTaken(parts, by: document) { return }
        let files = document?.files ?? []
        for entry in entries where entry.file != json?.file || document == nil {
            if !entry.isDamaged, files.contains(where: { $0.ending == entry.ending }) {
                let folder = try tree.versions.made(parts.name, parts.number)
                try flat.rename(entry.file, to: folder, as: parts.name.with(ending: entry.ending))
            } else {
                try tree.setAside(entry.file, in: flat, moves: true)
            }
        }
        guard var former = document, let json else { return }
        let folder = try tree.versions.made(parts.name, parts.number)
        let holds = try Versions.files(of: former, in: folder)
        let setAside = try Document.of(parts.name, in: tree.root)?.setAside ?? []
        former.version = Version.Mark(
            replaced: try flat.facts(of: json.file)?.modified ?? former.fetched, holds: holds,
            isReverted: setAside.contains(Digest(of: former.bytes))
                || former.isSetAside(
                    files.filter { holds.contains(parts.name.with($0)) }, former.digest(by: read), by: setAside),
            isDeleted: former.isPruned)
        try Versions.publish(former.rewritten(), in: folder, staging: tree.unfinished)
        try flat.remove(json.file)
    }

    /// Whether a folder has the number already, of another version: the flat files stay as they are.
    private func isTaken(_ parts: Parts, by document: Document) throws -> Bool {
        try tree.versions.read(parts.name, parts.number).map { !$0.isOf(document) } ?? false
    }
}
