internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Glibc

/// Restores a picture that was moved out of the tree, or is damaged there, from a file in the favorites folder.
struct RestoreOriginal {
    let archive: Archive
    let original: TreeFile

    private var tree: Tree { archive.tree }

    func run(_ file: File) throws(StorageError) {
        let folder = try tree.folder(original.subject.folder)
        let isGood = try folder.has(
            original.name, bytes: original.bytes, sha256: original.sha256, unless: { Task.isCancelled })
        if isGood { return }
        let temporary = "back \(original.name)"
        do throws(StorageError) {
            let back = try copy(of: file, as: temporary)
            let modified = if let noon = original.subject.noon { noon } else { try file.facts().modified }
            let staged = try Staged(
                back, in: tree.unfinished, as: temporary, bytes: original.bytes, modified: modified)
            try archive.setAside(original.name, in: folder)
            try staged.publishDurably(in: folder, as: original.name)
        } catch {
            try? tree.unfinished.remove(temporary)
            throw error
        }
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
