internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Glibc

/// Restores a picture that was moved out of the tree, or is damaged there, from a file in the favorites folder.
struct RestoreOriginal {
    let tree: Tree
    let original: TreeFile
    let isStopped: () -> Bool

    /// `facts`: of the file when it was compared.
    func run(_ file: File, _ facts: File.Facts, _ name: Name, in folder: Folder) throws(StorageError) {
        let month = try tree.folder(of: original.day)
        if try isGood(in: month, like: facts) { return }
        let temporary = "back \(original.name)"
        do throws(StorageError) {
            let back = try second(of: file, facts, name, in: folder, as: temporary)
            try Staged(back, in: tree.unfinished, as: temporary, bytes: facts.bytes, modified: original.day.noon)
                .publish(in: month, as: original.name)
            try month.sync()
        } catch {
            try? tree.unfinished.remove(temporary)
            throw error
        }
    }

    private func isGood(in month: Folder, like other: File.Facts) throws(StorageError) -> Bool {
        guard let facts = try month.facts(of: original.name), facts.isRegular, facts.bytes == other.bytes,
            let there = try? month.file(original.name)
        else { return false }
        let digest = try? Digest(of: there, unless: isStopped)
        if isStopped() { throw StorageError("read", there.path, code: ECANCELED) }
        return digest == original.sha256
    }

    /// Returns a hard link, which needs no room, or else a copy. Somebody else's file could be changed by its owner.
    private func second(
        of file: File, _ facts: File.Facts, _ name: Name, in folder: Folder, as temporary: String
    ) throws(StorageError) -> File {
        try tree.unfinished.remove(temporary)
        if facts.owner == geteuid(), facts.links == 1,
            (try? folder.makeHardLink(name, in: tree.unfinished, as: temporary)) != nil,
            let second = try tree.unfinished.file(temporary), try second.facts().isSame(as: facts)
        {
            return second
        }
        try tree.unfinished.remove(temporary)
        let copy = try tree.unfinished.makeFile(temporary)
        try copy.append(file, unless: isStopped)
        guard try Digest(of: copy, unless: isStopped) == original.sha256 else {
            throw StorageError("copy", file.path, code: EIO)
        }
        return copy
    }
}
