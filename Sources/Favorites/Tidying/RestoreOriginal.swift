internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Glibc

/// Restores a picture that was moved out of the tree, or is damaged there, from a file in the favorites folder.
struct RestoreOriginal {
    let tree: Tree
    let original: TreeFile

    /// `bytes`: the size of the file when it was compared.
    func run(_ file: File, bytes: Int) throws(StorageError) {
        let folder = try tree.folder(original.subject.folder)
        if try isGood(in: folder, bytes: bytes) { return }
        let temporary = "back \(original.name)"
        do throws(StorageError) {
            let back = try copy(of: file, as: temporary)
            let modified = if let noon = original.subject.noon { noon } else { try file.facts().modified }
            try Staged(back, in: tree.unfinished, as: temporary, bytes: bytes, modified: modified)
                .publishDurably(in: folder, as: original.name)
        } catch {
            try? tree.unfinished.remove(temporary)
            throw error
        }
    }

    private func isGood(in folder: Folder, bytes: Int) throws(StorageError) -> Bool {
        guard let facts = try folder.facts(of: original.name), facts.isRegular, facts.bytes == bytes,
            let there = try? folder.file(original.name)
        else { return false }
        let digest = try? Digest(of: there, unless: { Task.isCancelled })
        if Task.isCancelled { throw StorageError("read", there.path, code: ECANCELED) }
        return digest == original.sha256
    }

    /// A hard link would do with less room, but the file's owner could change it.
    private func copy(of file: File, as temporary: String) throws(StorageError) -> File {
        try tree.unfinished.remove(temporary)
        let copy = try tree.unfinished.makeFile(temporary)
        try copy.append(file, unless: { Task.isCancelled })
        guard try Digest(of: copy, unless: { Task.isCancelled }) == original.sha256 else {
            throw StorageError("copy", file.path, code: EIO)
        }
        return copy
    }
}
