internal import Files

/// A state folder says whose it is by the mirror's id, which is in the mirror's own folder, too: two mirrors with one
/// catalog would take each other's days and favorites for their own.
extension StateFolder {
    private static let mark = "id"

    /// Throws if it is another mirror's. From then on, it is this one's.
    func claim(for tree: Tree) throws(ArchiveError) {
        try check(for: tree.root)
        try ArchiveError.wrapping { () throws(StorageError) in
            let identifier = try Self.identifier(of: tree)
            let folder = try Folder.open(path)
            guard Self.identifier(in: folder) == nil else { return }
            try Staged(Array(identifier.utf8), in: folder, as: "\(Self.mark).new").publish(in: folder, as: Self.mark)
            try folder.sync()
        }
    }

    /// Throws if it is another mirror's than the one in this root.
    func check(for root: Folder) throws(ArchiveError) {
        guard let folder = try? Folder.open(path), let identifier = Self.identifier(in: folder) else { return }
        do throws(StorageError) {
            if try root.folder(Tree.ownFolder).flatMap(Self.identifier) == identifier { return }
        } catch {
            // Who may not look there cannot tell, and writes nothing either.
            if error.isRefusal { return }
        }
        throw .shared(catalog: catalog, root: root.path, mark: folder.path(of: Self.mark))
    }

    private static func identifier(in folder: Folder) -> String? {
        guard let bytes = try? folder.file(mark)?.contents(atMost: 16) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return UInt64(text, radix: 16).map { String($0, radix: 16) } == text ? text : nil
    }

    private static func identifier(of tree: Tree) throws(StorageError) -> String {
        if let known = identifier(in: tree.own) { return known }
        let new = String(UInt64.random(in: .min ... .max), radix: 16)
        try Staged(Array(new.utf8), in: tree.unfinished, as: mark).publish(in: tree.own, as: mark)
        try tree.own.sync()
        return new
    }
}
