import Apod
import Files
import Glibc

/// The folder of the catalog: `.apod-mirror` in the root, unless the setting `state` names another.
struct StateFolder {
    let path: String

    init(root: String, state: String?) { path = state ?? Tree.ownPath(in: root) }

    var catalog: String { "\(path)/catalog.sqlite" }

    func make() throws {
        _ = try Folder.make(path)
        // SQLite's log needs shared memory, which network disks do not give (sqlite.org/wal.html).
        if let kind = FileSystem.networkKind(of: path) { throw Problem(.network, kind, path: path) }
    }

    /// Renames an unusable or suspect catalog and its log, so that a person can examine them.
    func setCatalogAside() throws {
        for suffix in ["", "-wal", "-shm"] {
            guard Glibc.rename(catalog + suffix, "\(catalog).aside\(suffix)") == 0 || errno == ENOENT else {
                throw Problem("move away", catalog + suffix)
            }
        }
        // The mark would otherwise apply to the next catalog.
        let mark = DamageMark.path(beside: catalog)
        guard unlink(mark) == 0 || errno == ENOENT else { throw Problem("remove", mark) }
        try Folder.open(path).sync()
    }

    /// Whether damage was found in the catalog.
    var catalogIsSuspect: Bool { DamageMark.isSet(beside: catalog) }
}

/// The owner of a state folder: it holds the mirror's id, as the mirror's own folder does. Two mirrors with one catalog
/// would take each other's days and favorites for their own.
extension StateFolder {
    private static let mark = "id"

    /// Makes the state folder this mirror's. Throws if it is another mirror's.
    func claim(for tree: Tree) throws {
        try check(for: tree.root)
        let identifier = try Self.identifier(of: tree)
        let folder = try Folder.open(path)
        guard Self.identifier(in: folder) == nil else { return }
        try Staged(identifier.bytes, in: folder, as: "\(Self.mark).new").publishDurably(in: folder, as: Self.mark)
    }

    /// Throws if the state folder belongs to another mirror than the one in this root.
    func check(for root: Folder) throws {
        guard let folder = try? Folder.open(path), let identifier = Self.identifier(in: folder) else { return }
        do {
            if try root.folder(Tree.ownFolder).flatMap(Self.identifier) == identifier { return }
        } catch {
            // A process without permission to read the id cannot write there either.
            if error.problem.isRefusal { return }
        }
        throw Problem(.shared, root.path, path: folder.path(of: Self.mark))
    }

    private static func identifier(in folder: Folder) -> String? {
        guard let bytes = try? folder.file(mark)?.contents(atMost: 16) else { return nil }
        let text = bytes.text
        return UInt64(text, radix: 16).map { String($0, radix: 16) } == text ? text : nil
    }

    private static func identifier(of tree: Tree) throws -> String {
        if let known = identifier(in: tree.own) { return known }
        let new = String(UInt64.random(in: .min ... .max), radix: 16)
        try Staged(new.bytes, in: tree.unfinished, as: mark).publishDurably(in: tree.own, as: mark)
        return new
    }
}
