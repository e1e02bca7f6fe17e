internal import Catalog
internal import Concurrency
internal import Files
import Glibc

/// A catalog that is not in its root says whose it is: two mirrors with one catalog would take each other's days and
/// favorites for their own.
extension StateFolder {
    private static let note = "root"
    private static let identifier = "id"
    /// They may be on disks that do not answer.
    private static let otherRoots = TimedCalls<Void>(limit: .seconds(2))

    /// Throws if it is another mirror's. From then on, it is this one's.
    func claim(for tree: Tree) throws(ArchiveError) {
        let folder = try ArchiveError.wrapping(step: try Folder.open(path))
        if Self.isOwn(folder, of: tree.root) { return }
        // Two may begin at the same time.
        let lock = try ArchiveError.wrapping(step: try folder.locked("\(Self.note).lock"))
        defer { withExtendedLifetime(lock) {} }
        try check(for: tree.root)
        try ArchiveError.wrapping { () throws(StorageError) in
            let owner = CatalogOwner(root: tree.root.path, identifier: try Self.identifier(of: tree))
            if Self.owner(noted: folder) == owner { return }
            try Staged(owner.text, in: folder, as: "\(Self.note).new").publish(in: folder, as: Self.note)
            try folder.sync()
        }
    }

    /// Throws if it is another mirror's than the one in this root.
    func check(for root: Folder) throws(ArchiveError) {
        guard let folder = try? Folder.open(path), !Self.isOwn(folder, of: root) else { return }
        // Another root's own.
        if let path = Self.truePath(of: folder), path.hasSuffix("/\(Tree.ownFolder)"),
            (try? folder.facts(of: "lock")) ?? nil != nil
        {
            let owner = CatalogFiles.parts(of: path).folder
            throw .shared(
                catalog: catalog, root: root.path, owner: owner,
                sign: Self.hasMonths(owner) ? nil : .lock(path: folder.path(of: "lock")))
        }
        guard let owner = Self.owner(noted: folder), owner.root != root.path else { return }
        let other = Self.otherRoots.answer(of: (), where: { true }, to: { try? Folder.open(owner.root) }) ?? nil
        if let other, (try? other.identity()) == (try? root.identity()) { return }
        // It was moved here, unless it is there still.
        let own: Folder?
        do throws(StorageError) { own = try root.folder(Tree.ownFolder) } catch {
            // Who may not look there cannot tell, and writes nothing either.
            if error.isRefusal { return }
            own = nil
        }
        if let own, Self.identifier(in: own) == owner.identifier, ((try? other?.folder(Tree.ownFolder)) ?? nil) == nil {
            return
        }
        throw .shared(
            catalog: catalog, root: root.path, owner: owner.root, sign: .note(path: folder.path(of: Self.note)))
    }

    private static func isOwn(_ folder: Folder, of root: Folder) -> Bool {
        guard let own = try? root.folder(Tree.ownFolder)?.identity() else { return false }
        return (try? folder.identity()) == own
    }

    private static func owner(noted folder: Folder) -> CatalogOwner? {
        (try? folder.file(note)?.contents(atMost: 1 << 14)).flatMap { CatalogOwner($0) }
    }

    private static func identifier(in own: Folder) -> String? {
        guard let bytes = try? own.file(identifier)?.contents(atMost: 16) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return UInt64(text, radix: 16).map { String($0, radix: 16) } == text ? text : nil
    }

    /// A mirror that was moved is known by it.
    private static func identifier(of tree: Tree) throws(StorageError) -> String {
        if let known = identifier(in: tree.own) { return known }
        let new = String(UInt64.random(in: .min ... .max), radix: 16)
        try Staged(Array(new.utf8), in: tree.unfinished, as: identifier).publish(in: tree.own, as: identifier)
        try tree.own.sync()
        return new
    }

    /// Whether there may be a mirror's days.
    private static func hasMonths(_ root: String) -> Bool {
        (try? Tree.months(in: Folder.open(root)))?.isEmpty != true
    }

    private static func truePath(of folder: Folder) -> String? {
        (try? folder.end(of: "."))?.truePath.map { String(decoding: $0, as: UTF8.self) }
    }
}

private struct CatalogOwner: Equatable {
    let root: String
    let identifier: String

    var text: [UInt8] { Array("\(identifier)\n\(root)\n".utf8) }

    init(root: String, identifier: String) {
        self.root = root
        self.identifier = identifier
    }

    /// nil for what is no such note.
    init?(_ text: [UInt8]) {
        guard let end = text.firstIndex(of: UInt8(ascii: "\n")), text.last == UInt8(ascii: "\n"), text.count > end + 1
        else { return nil }
        identifier = String(decoding: text[..<end], as: UTF8.self)
        root = String(decoding: text[(end + 1)...].dropLast(), as: UTF8.self)
    }
}
