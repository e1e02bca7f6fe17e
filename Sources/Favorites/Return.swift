internal import Apod
internal import Archive
internal import Files
import Glibc

/// A picture that was moved out of the tree, or is damaged there, gets its place again from what lies in the
/// favorites folder.
struct Return {
    let tree: Tree
    let original: TreeFile
    /// Otherwise, what lies in the favorites folder stays there.
    let isMove: Bool

    func run(_ file: File, _ name: Name, in folder: Folder) throws(DiskError) {
        let month = try tree.folder(of: original.day)
        if try isGood(in: month, like: file) { return }
        let temporary = "back \(original.name)"
        do throws(DiskError) {
            let back = try second(of: file, name, in: folder, as: temporary)
            try Staged(
                back, in: tree.unfinished, as: temporary, bytes: try file.facts().bytes, modified: original.day.noon
            ).publish(in: month, as: original.name)
            try month.sync()
        } catch {
            try? tree.unfinished.remove(temporary)
            throw error
        }
    }

    private func isGood(in month: Folder, like file: File) throws(DiskError) -> Bool {
        guard let facts = try month.facts(of: original.name), facts.isRegular, facts.bytes == (try file.facts().bytes),
            let there = try? month.file(original.name)
        else { return false }
        return (try? Digest(of: there)) == original.sha256
    }

    /// A moved file needs no room for a copy. One that is somebody else's could still be changed by them.
    private func second(
        of file: File, _ name: Name, in folder: Folder, as temporary: String
    ) throws(DiskError) -> File {
        try tree.unfinished.remove(temporary)
        let facts = try file.facts()
        if isMove, facts.owner == geteuid(), facts.links == 1,
            (try? folder.makeHardLink(name, in: tree.unfinished, as: temporary)) != nil,
            let second = try tree.unfinished.file(temporary), try second.facts().identity == facts.identity
        {
            return second
        }
        try tree.unfinished.remove(temporary)
        let copy = try tree.unfinished.makeFile(temporary)
        try copy.append(file)
        guard try Digest(of: copy) == original.sha256 else { throw DiskError("copy", file.path, code: EIO) }
        return copy
    }
}
