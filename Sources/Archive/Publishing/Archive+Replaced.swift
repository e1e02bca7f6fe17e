package import Apod
package import Catalog
internal import Concurrency
package import Files
import Glibc

extension Archive {
    /// Deletes the files of former versions, unless their day has become a favorite or was reverted meanwhile. Returns
    /// the versions whose files were deleted, and those that stay because of an error; not all of them if it was
    /// cancelled.
    package func prune(
        _ versions: [ReplacedFiles.Version], unless isWanted: @escaping Pruning.Wanting
    ) async throws(StorageError) -> (gone: [ReplacedFiles.Version], refused: [(day: Day, why: StorageError)]) {
        var (gone, refused): ([ReplacedFiles.Version], [(day: Day, why: StorageError)]) = ([], [])
        if versions.isEmpty { return (gone, refused) }
        var failure: StorageError?
        for version in versions where failure == nil {
            let day = version.name.day
            do { try await dayLocks.lock(day) } catch { break }
            defer { dayLocks.unlock(day) }
            do throws(StorageError) {
                let isGone = try await blocking { [self] () throws(StorageError) -> Bool in
                    let replaced = tree.replaced
                    guard !isWanted(tree.subject(version.name)), try replaced.has(version) else { return false }
                    return try replaced.prune(version, staging: tree.unfinished, read: rebuild.read)
                }
                if isGone { gone.append(version) }
            } catch {
                if error.stopsDeletion { failure = error } else { refused.append((day, error)) }
            }
        }
        await blocking { [self] in countReplaced() }
        // The gallery tells what is kept.
        noteChanges(of: gone.map(\.name.day))
        if let failure { throw failure }
        return (gone, refused)
    }

    /// Keeps what is in the place of a day's file, or of an item's in any list: it is damaged, or changed by a person.
    /// The caller holds the day's lock.
    package func keepOther(than original: TreeFile, in folder: Folder) throws(StorageError) {
        let list = original.subject.list
        guard try folder.facts(of: original.name)?.isRegular == true,
            let name = try catalog.status(of: original.subject)?.stored?.name
        else { return }
        let ending = String(decoding: original.name.utf8.dropFirst(name.stem.utf8.count), as: UTF8.self)
        // The JSON goes with every version.
        let files = original.name == name.with(Metadata.suffix) ? [:] : [ending: true]
        let own = try Tree.makeFolder(Tree.path(of: list, below: Tree.ownFolder), in: tree.root)
        try ReplacedFiles(in: own, ofItems: list != nil).keep(
            [.init(name: name, month: folder, moment: time(nil), files: files, isJSONReplaced: false)],
            staging: tree.unfinished)
    }
}
