package import Apod
import Files
import Glibc

/// Deletes the files of some days. Their JSON stays, and says so.
///
/// The catalog marks the days first, so that `Archive.tidy` finds a deletion that was cut off. Only files that the
/// catalog lists are deleted, and each only if the day has not become a favorite meanwhile. A day with a file that a person
/// has changed stays.
package struct Pruning {
    /// Whether a day, or an item, may be a favorite that the history does not know yet. Called before each deletion.
    package typealias Wanting = @Sendable (Key) -> Bool

    let tree: Tree
    let catalog: Catalog
    let favorites: FavoritesLog
    let rebuild: CatalogRebuild
    /// What the clock says, as far as it is believed.
    let now: Int
    let isWanted: Wanting

    /// The outcome for each day. Protected favorites are in none of the sets.
    package struct Deleted: Sendable {
        package fileprivate(set) var gone: Set<Key> = []
        /// Days that stay because their files cannot be deleted, or because their JSON, all that would remain, cannot be
        /// read.
        package fileprivate(set) var refused: [Key: Problem] = [:]

        /// Other days may still be deleted.
        fileprivate mutating func refuse(_ key: Key, _ error: Problem) throws {
            if error.stopsDeletion { throw error }
            refused[key] = error
        }
    }

    /// An item that is to go, as it is, and its new JSON.
    private typealias Going = (item: Item, stored: Item.Stored, document: Document)

    func run(_ keys: [Key]) throws -> Deleted {
        var outcome = Deleted()
        let prunable = try prunable(among: keys, &outcome)
        try mark(prunable)
        let gone = try removeFiles(of: prunable, &outcome)
        if gone.isEmpty { return outcome }
        try rewrite(gone)
        try catalog.record(
            gone.map { day in
                var item = day.document.item(nil)
                item.stored?.content = day.stored.content
                return Catalog.Update(item)
            })
        outcome.gone = Set(gone.map(\.item.key))
        return outcome
    }

    private func prunable(among keys: [Key], _ outcome: inout Deleted) throws -> [Going] {
        var found: [Going] = []
        for key in keys {
            guard let item = try catalog.item(of: key), let stored = item.stored, !stored.files.isEmpty,
                !mustStay(stored.name)
            else { continue }
            do {
                _ = try tree.writableFolder(of: stored.name)
                found.append((item, stored, try prunedDocument(of: stored)))
            } catch {
                try outcome.refuse(key, error.problem)
            }
        }
        return found
    }

    /// Whether the day is a protected favorite, in the history or not yet.
    private func mustStay(_ name: FileName) -> Bool {
        isWanted(name.key) || favorites.known.isProtected(name.key, at: now)
    }

    /// The day's new JSON.
    private func prunedDocument(of stored: Item.Stored) throws -> Document {
        guard let folder = try Tree.existingFolder(stored.name.folder, in: tree.root),
            var document = try Document(stored.name, in: folder)
        else {
            let path = stored.name.path(FileName.json)
            throw Problem("read what is known of the day in", tree.root.path(of: path), code: EINVAL)
        }
        (document.files, document.mirror.isPruned, document.mirror.incomplete) = ([], true, nil)
        return try document.rewritten()
    }

    /// The item during the deletion. The rest of it is kept in case it stays.
    private static func marked(_ item: Item) -> Item {
        var item = item
        item.state = .pruned
        return item
    }

    private func mark(_ days: [Going]) throws {
        do {
            try catalog.record(days.map { Catalog.Update(Self.marked($0.item)) })
        } catch {
            // A full disk has no room for a mark, and deleting makes room. `remove` checks each day again.
            guard error.problem.isFull else { throw error }
        }
    }

    /// Returns the days whose files were deleted.
    private func removeFiles(of days: [Going], _ outcome: inout Deleted) throws -> [Going] {
        var gone: [Going] = []
        for days in Dictionary(grouping: days, by: \.stored.name.folder).values {
            let folder = try Tree.existingFolder(days[0].stored.name.folder, in: tree.root)
            for day in days {
                if let folder, try !remove(day, from: folder, &outcome) { continue }
                gone.append(day)
            }
            try folder?.sync()
        }
        return gone
    }

    /// Returns false if the day stays. It gets its former status back, or stays marked if it lost a file already.
    private func remove(_ day: Going, from folder: Folder, _ outcome: inout Deleted) throws -> Bool {
        let edited = try day.stored.files.first { try folder.isEdited($0, as: day.stored.name) }
        if let edited {
            let path = folder.path(of: day.stored.name.with(edited))
            try outcome.refuse(day.item.key, Problem(.edited, path: path))
            try catalog.record([Catalog.Update(day.item)])
            return false
        }
        for (index, file) in day.stored.files.enumerated() {
            do {
                if !mustStay(day.stored.name) {
                    let name = day.stored.name.with(file)
                    // Anything but a regular file is not the mirror's.
                    if try folder.facts(of: name)?.isRegular == true { try folder.remove(name) }
                    continue
                }
            } catch {
                try outcome.refuse(day.item.key, error.problem)
            }
            try catalog.record([Catalog.Update(index == 0 ? day.item : Self.marked(day.item))])
            return false
        }
        return true
    }

    private func rewrite(_ days: [Going]) throws {
        var folders: [String: Folder] = [:]
        for day in days {
            let name = day.stored.name
            if folders[name.folder] == nil { folders[name.folder] = try tree.folder(name.folder) }
            try Staged(day.document.bytes, in: tree.unfinished, as: "\(name.key.mark).pruned")
                .publish(in: folders[name.folder]!, as: name.with(FileName.json))
        }
        for (month, folder) in folders {
            tree.hideFiles(in: folder, month)
            try folder.sync()
        }
    }
}

extension Problem {
    /// Nothing else can be deleted either.
    var stopsDeletion: Bool { isOfProcess || !isOfSystem && code != .edited }
}
