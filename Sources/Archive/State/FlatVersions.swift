internal import Apod
internal import Files

/// Former versions as flat files: `.apod-mirror/replaced/2026-11-20 Orion Rising.1.jpg`, or below `lists/cats` of a list.
///
/// Where a mirror still has them, they get folders (`Versions`) before the catalog is opened. Each step leaves alone what is
/// done, so it can be cut off anywhere and begins anew at the next start.
struct FlatVersions {
    private let tree: Tree
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

    /// nil if there are none.
    init?(_ tree: Tree, read: @escaping RecordReader) throws(StorageError) {
        guard let flat = try tree.own.folder(Versions.folder) else { return nil }
        (self.tree, self.flat, self.read) = (tree, flat, read)
    }

    func convert() throws(StorageError) {
        var found: [Parts: [Entry]] = [:]
        for file in try flat.names() {
            guard let (parts, entry) = parse(file), try flat.facts(of: file)?.isRegular == true else { continue }
            found[parts, default: []].append(entry)
        }
        for (parts, entries) in found { try convert(parts, entries) }
        if !found.isEmpty { try flat.sync() }
        if tree.list != nil { try tree.own.removeEmptyFolder(Versions.folder) }
    }

    /// Splits `2026-11-20 Orion Rising.1.damaged (2).jpg`; nil for another name.
    private func parse(_ file: String) -> (Parts, Entry)? {
        guard let stem = FileName.parts(of: file)?.stem else { return nil }
        let front = FileName.splitting(stem).front
        let isDamaged = front.utf8.reversed().starts(with: Self.damaged.utf8.reversed())
        let numbered = String(decoding: front.utf8.dropLast(isDamaged ? Self.damaged.utf8.count : 0), as: UTF8.self)
        guard let (stem, digits) = FileName.parts(of: numbered), let number = Int(digits), number > 0,
            "\(number)" == digits, let name = FileName(stem: stem, isItem: tree.hasItems)
        else { return nil }
        let ending = String(decoding: file.utf8.dropFirst(front.utf8.count), as: UTF8.self)
        return (Parts(name: name, number: number), Entry(file: file, ending: ending, isDamaged: isDamaged))
    }

    private func convert(_ parts: Parts, _ entries: [Entry]) throws(StorageError) {
        let json = entries.first { $0.ending == ".\(Metadata.suffix)" && !$0.isDamaged }
        var document: Document?
        if let json {
            do throws(StorageError) {
                let bytes = try flat.file(json.file)?.contents(atMost: Document.longest)
                document = bytes.flatMap { Document($0, name: parts.name) }
            } catch {
                if error.isOfProcess { throw error }
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
        try Versions.publish(former.rewritten, in: folder, staging: tree.unfinished)
        try flat.remove(json.file)
    }

    /// Whether a folder has the number already, of another version: the flat files stay as they are.
    private func isTaken(_ parts: Parts, by document: Document) throws(StorageError) -> Bool {
        try tree.versions.read(parts.name, parts.number).map { !$0.isOf(document) } ?? false
    }
}
