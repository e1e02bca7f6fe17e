import Apod
internal import Files

/// The days that were on their way out when the program was killed, or when the disk refused to delete more.
///
/// A day that has all its files is again what it was before it was marked: whether it goes, the next round decides. Of a day that
/// has lost a file, the rest goes only if it still is to; otherwise the day is asked for again.
struct MarkedDays {
    let tree: Tree
    let catalog: Catalog
    let read: RecordReader
    let now: Int

    /// As they were before.
    private(set) var restored: [Standing] = []
    /// They have lost a file, and nobody has noted that he wants them.
    private(set) var lost: [Standing] = []
    /// Their JSON says already that they are gone.
    private(set) var gone: [Standing] = []

    init(tree: Tree, catalog: Catalog, read: @escaping RecordReader, at now: Int) throws(ArchiveError) {
        (self.tree, self.catalog, self.read, self.now) = (tree, catalog, read, now)
        let days = try ArchiveError.wrapping { () throws(CatalogError) in try catalog.marked() }
        for day in days {
            // What cannot be looked at stays marked.
            do throws(ArchiveError) { try sort(day) } catch { if error.isGeneral { throw error } }
        }
    }

    private mutating func sort(_ day: Day) throws(ArchiveError) {
        let (standing, isProtected) = try ArchiveError.wrapping { () throws(CatalogError) in
            (try catalog.standing(of: day), try catalog.isProtected(day, at: now))
        }
        guard let standing, let entry = standing.entry else { return }
        if try isWhole(entry) { return restored.append(try beforeMark(standing, entry)) }
        // A favorite is asked for as it is.
        if isProtected { return }
        if try kept(entry)?.isPruned == true { gone.append(standing) } else { lost.append(standing) }
    }

    private func isWhole(_ entry: Entry) throws(ArchiveError) -> Bool {
        try tree.wrapping(month: entry.name.folder) { () throws(DiskError) in
            guard let folder = try Tree.existingFolder(of: entry.name.day, in: tree.root) else { return false }
            for file in entry.files {
                let facts = try folder.facts(of: entry.name.with(file.type.suffix))
                guard let facts, facts.isRegular, facts.bytes == file.bytes else { return false }
            }
            return true
        }
    }

    private func kept(_ entry: Entry) throws(ArchiveError) -> KeptMetadata? {
        try tree.wrapping(month: entry.name.folder) { () throws(DiskError) in
            guard let folder = try Tree.existingFolder(of: entry.name.day, in: tree.root) else { return nil }
            return try Census(tree, read: read).kept(entry.name, in: folder)?.metadata
        }
    }

    /// A mark leaves all but the state as it was.
    private func beforeMark(_ standing: Standing, _ entry: Entry) throws(ArchiveError) -> Standing {
        var standing = standing
        let isDowngraded = try kept(entry)?.downgraded == true
        standing.state = standing.reason != nil ? .failed : isDowngraded ? .downgraded : .mirrored
        return standing
    }
}

extension Standing {
    /// To be asked for again.
    var halfDeleted: Standing {
        Standing(day: day, state: .failed, reason: "interrupted while it was deleted", entry: entry)
    }
}
