package import Apod
package import Files
import Glibc
import Synchronization

/// The mirror, open for writing: the tree, its catalog, the favorites and the lock.
///
/// `add` stores days (`Publication`), `prune` deletes files (`Pruning`), `tidy` ends what a kill cut off, and
/// `CatalogRebuild` makes a catalog from the tree. Readers use static functions, `Document` and `Verification`.
///
package final class Archive: Sendable {
    package let tree: Tree
    package let catalog: Catalog
    package let favorites: FavoritesLog
    private let state: StateFolder
    private let lock: WriterLock
    let rebuild: CatalogRebuild
    /// Held while a day is changed, from reading its state to the last step.
    package let keyLocks: KeyLocks
    /// The number of days in a catalog that had to be made; nil if there was one.
    package let foundDays: Int?
    /// The pause between batches leaves the disk to others, and is too short to notice.
    private let groupCommit = GroupCommit<StagedDay.Ready>(distance: .milliseconds(25))
    /// Held while files are added to the tree or deleted.
    let filesLock = Mutex(())
    /// What was stored or found in the tree.
    package let newKeys: ChangedKeys
    private let listeners = Mutex<[ChangedKeys]>([])

    /// Opens the mirror in `root`, and makes what is missing of it.
    package init(root: String, state: String? = nil, read: @escaping RecordReader) throws {
        // Comes first: nothing is made in `root` if `state` belongs to another mirror.
        try Self.checkOwner(root: root, state: state)
        let tree = try Tree(root)
        var holder = ""
        let lock = try WriterLock(in: tree.own, holder: &holder)
        guard let lock else { throw Problem(.used, holder, path: root) }
        self.tree = tree
        self.state = StateFolder(root: root, state: state)
        self.lock = lock
        rebuild = CatalogRebuild(tree, read: read)
        (catalog, foundDays) = try Self.openCatalog(in: self.state, of: tree, under: lock, rebuild)
        (keyLocks, newKeys) = (KeyLocks(), ChangedKeys())
        favorites = try FavoritesLog(tree, at: time(nil))
    }

    static func checkOwner(root: String, state: String?) throws {
        guard state != nil, let folder = try? Folder.open(root) else { return }
        try StateFolder(root: root, state: state).check(for: folder)
    }

    /// Throws if the mirror must be opened again: its folders or its catalog were moved, or the catalog is damaged.
    package func checkPlaces() throws {
        do {
            let root = try Folder.open(tree.root.path)
            guard try root.identity() == tree.root.identity() else {
                throw Problem("find", root.path, code: ENOENT)
            }
            guard try root.folder(Tree.ownFolder)?.identity() == tree.own.identity(), !catalog.hasMoved else {
                throw Problem("find", tree.own.path, code: ENOENT)
            }
        } catch {
            if error.problem.errorNumber == ENOENT { throw Problem(.moved, path: error.problem.path) }
        }
        if state.catalogIsSuspect {
            throw Problem(.unusable, "somebody has met damage in it", path: state.catalog, number: Int(EBADMSG))
        }
    }

    private static func openCatalog(
        in state: StateFolder, of tree: Tree, under lock: WriterLock, _ rebuild: CatalogRebuild
    ) throws -> (Catalog, found: Int?) {
        try state.make()
        try state.claim(for: tree)
        do {
            if !state.catalogIsSuspect { return try catalog(in: state, of: tree, under: lock, rebuild) }
        } catch {
            guard error.problem.code == .unusable else { throw error }
        }
        try state.setCatalogAside()
        return try catalog(in: state, of: tree, under: lock, rebuild)
    }

    /// Opens the catalog. A new one is filled from the tree.
    private static func catalog(
        in state: StateFolder, of tree: Tree, under lock: WriterLock, _ rebuild: CatalogRebuild
    ) throws -> (Catalog, found: Int?) {
        let catalog = try Catalog(path: state.catalog, under: lock)
        guard try catalog.fact(.since) == nil else { return (catalog, nil) }
        let found = try rebuild.enter(into: catalog)
        // A copy may lack the mirror's own folder.
        for list in try catalog.lists() { _ = try Tree.makeFolder(list.path(), in: tree.own) }
        return (catalog, found)
    }

    /// Publishes the path of this writer's control socket; nil withdraws it.
    package func announce(_ address: String?) throws {
        try lock.announce(address)
    }

    /// Publishes, for everyone, the path of the socket where the web asks; nil withdraws it.
    package func announceToWeb(_ address: String?) throws {
        guard let address else { return try tree.own.remove(LocalSocket.webAddress) }
        let name = LocalSocket.webAddress
        try Staged(address.bytes, in: tree.unfinished, as: name).publishDurably(in: tree.own, as: name)
    }

    /// Settles what was cut off when the program was killed.
    package func tidy() throws {
        noteStored(try UnfinishedDays(tree: tree, catalog: catalog, read: rebuild.read).store())
        settleDeletions()
        try settleLists()
        try tree.pointLatest(by: catalog)
        tree.markRoot()
    }

    /// Makes the `latest` links and the root's hidden files again, if somebody removed them.
    package func pointLatest() {
        filesLock.withLock { _ in
            try? tree.pointLatest(by: catalog)
            tree.markRoot()
        }
    }

    /// Days whose deletion was cut off are what their JSON and files say. One that lost a file counts as deleted: the
    /// next round deletes the rest, or a refresh fetches it again. Errors are ignored: what stays marked does no harm.
    private func settleDeletions() {
        guard let marked = try? catalog.marked(), !marked.isEmpty,
            let updates = try? rebuild.find(Set(marked), in: folders(of: marked))
        else { return }
        _ = try? catalog.record(updates)
        hideFiles(of: marked)
        noteStored(updates.map(\.item.key))
    }

    /// Returns the stored first day to mirror, or else stores and returns `day`.
    package func firstDay(orChoose day: Day) throws -> Day {
        let known = try catalog.fact(.since).flatMap { Day(daysSince1970: $0) }
        if known == nil { try catalog.setFact(.since, day.number) }
        let since = known ?? day
        try tree.rememberSince(since)
        return since
    }

    /// Enters days into the catalog that only the tree has, and returns those that are not pruned.
    package func rediscover(_ days: Set<Day>) throws -> Set<Day> {
        if days.isEmpty { return [] }
        let known = try catalog.present(among: days)
        let new = days.subtracting(known)
        let updates = try rebuild.find(Set(new.map(Key.day)), in: Set(new.map(\.folder)))
        if updates.isEmpty { return [] }
        defer { noteStored(updates.map(\.item.key)) }
        try filesLock.withLock { _ in
            try catalog.record(updates)
            hideFiles(of: updates.map(\.item.key))
            try tree.pointLatest(by: catalog)
        }
        return updates.map(\.item).filter { $0.state != .pruned }.map(\.key).days
    }

    /// Stores a day. Returns when it is on the disk.
    ///
    /// Days that arrive while others are being written form one batch, which waits for the disk once.
    package func add(_ stagedDay: StagedDay) async throws {
        let unfinished = tree.unfinished
        let ready = try await blocking {
            try stagedDay.ready(in: unfinished)
        }
        do {
            try await groupCommit.add(ready) { [self] batch in
                try await blocking { [self] in
                    defer { noteStored(batch.map(\.name.key)) }
                    try filesLock.withLock { _ in
                        let publication = Publication(tree: tree, catalog: catalog, days: batch, read: rebuild.read)
                        try publication.run()
                    }
                }
            }
        } catch {
            // After a general error (a full disk), the next start stores the day; also where the catalog has it, and its
            // JSON alone could not take its place.
            let known = (try? catalog.item(of: ready.name.key))?.stored?.json
            if !error.problem.isGeneral, known != ready.item.stored?.json { ready.json.discard() }
            throw error
        }
    }

    /// Also called after work that failed: some of its days may be stored.
    private func noteStored(_ keys: [Key]) {
        newKeys.add(keys)
        noteChanges(of: keys)
    }

    /// Returns a listener for what changes from now on. What was deleted or failed counts, too.
    package func listenForChanges() -> ChangedKeys {
        let changed = ChangedKeys()
        listeners.withLock { $0.append(changed) }
        return changed
    }

    package func noteChanges(of keys: some Collection<Key>) {
        if keys.isEmpty { return }
        for listener in listeners.withLock(\.self) { listener.add(keys) }
    }

    /// Makes the folders of another list. One whose folder is gone begins anew, and one that was put there is found.
    package func begin(_ list: ListName) throws {
        if let other = try catalog.lists().first(where: {
            $0 != list && Key.cover(of: $0).mark == Key.cover(of: list).mark
        }) {
            throw Problem("tell from the list \(other), which needs another name,", "\(list)", code: EEXIST)
        }
        if try Tree.isGone(list, in: tree.root) { try catalog.forget(list) } else { try find(list) }
        for folder in [tree.root, tree.own] { _ = try Tree.makeFolder(list.path(), in: folder) }
    }

    /// Forgets the lists whose folder is gone, and finds those that were put there, but for some that begin by themselves.
    /// Returns whether one was forgotten.
    @discardableResult
    package func settleLists(besides asked: [ListName] = []) throws -> Bool {
        let gone = try catalog.lists().subtracting(asked).filter { (try? Tree.isGone($0, in: tree.root)) == true }
        for list in gone { try catalog.forget(list) }
        for list in Tree.lists(in: tree.root) where !asked.contains(list) { try? find(list) }
        noteChanges(of: gone.map(Key.cover))
        return !gone.isEmpty
    }

    /// Enters what is in the folder of a list of which nothing is known.
    package func find(_ list: ListName) throws {
        if try !catalog.knows(list) { try rebuild.enter(list, into: catalog) }
    }

    private func folders(of keys: [Key]) -> Set<String> {
        Set(keys.compactMap { try? catalog.item(of: $0)?.stored?.name.folder })
    }

    /// Brings `.hidden` up to date in the folders of some keys.
    private func hideFiles(of keys: [Key]) {
        for path in folders(of: keys) {
            guard let folder = try? Tree.existingFolder(path, in: tree.root) else { continue }
            tree.hideFiles(in: folder, path)
        }
    }

    /// Brings a month's `.hidden` up to date (`2026/11`), after sidecars have come or gone.
    package func hideFiles(in month: Folder, _ path: String) {
        filesLock.withLock { _ in tree.hideFiles(in: month, path) }
    }

    /// Deletes the files of some keys, but not of protected favorites. The JSON stays.
    package func prune(
        _ keys: [Key], at now: Int, unless isWanted: @escaping Pruning.Wanting = { _ in false }
    ) async throws -> Pruning.Deleted {
        var taken: [Key] = []
        defer { for key in taken { keyLocks.unlock(key) } }
        // Sorted: two callers with different orders could wait for each other.
        for key in keys.sorted() {
            do { try await keyLocks.lock(key) } catch { break }
            taken.append(key)
        }
        return try await blocking { [self, taken] in
            defer { noteChanges(of: taken) }
            return try filesLock.withLock { _ in
                try Pruning(
                    tree: tree, catalog: catalog, favorites: favorites, rebuild: rebuild,
                    now: catalog.believed(now), isWanted: isWanted
                ).run(taken)
            }
        }
    }

    /// Deletes the files of former versions, unless their day has become a favorite meanwhile. Returns the versions whose
    /// files were deleted, and those that stay because of an error; not all of them if it was cancelled.
    package func prune(
        _ versions: [FormerVersion], unless isWanted: @escaping Pruning.Wanting
    ) async throws -> (gone: [FormerVersion], refused: [(key: Key, why: Problem)]) {
        var (gone, refused): ([FormerVersion], [(key: Key, why: Problem)]) = ([], [])
        var failure: (any Error)?
        let names = try await blocking { [tree] in
            Dictionary(try tree.versions.names().map { ($0.key, $0) }) { $1 }
        }
        for version in versions where failure == nil {
            do { try await keyLocks.lock(version.key) } catch { break }
            defer { keyLocks.unlock(version.key) }
            do {
                if try await blocking({ [self] in try delete(version, names[version.key], unless: isWanted) }) {
                    gone.append(version)
                }
            } catch {
                if error.problem.stopsDeletion { failure = error } else { refused.append((version.key, error.problem)) }
            }
        }
        // The gallery tells what is kept.
        noteChanges(of: gone.map(\.key))
        if let failure { throw failure }
        return (gone, refused)
    }

    /// `name`: by its folder, as of a list that is gone.
    private func delete(
        _ version: FormerVersion, _ name: FileName?, unless isWanted: Pruning.Wanting
    ) throws -> Bool {
        guard let name = try catalog.item(of: version.key)?.stored?.name ?? name, !isWanted(name.key),
            let left = try tree.versions.deleteFiles(version.number, of: name, staging: tree.unfinished)
        else { return false }
        do { try catalog.enter(left.entry) } catch {
            // The next deletion makes room for it.
            guard error.problem.isFull else { throw error }
        }
        return true
    }

    /// Puts what is in the place of a file out of its way: it is damaged, or changed by a person.
    package func setAside(_ file: String, in folder: Folder) throws {
        if try folder.facts(of: file)?.isRegular == true { try tree.setAside(file, in: folder) }
    }

    /// The digest of the record in a day's JSON, which a new catalog does not know (`CatalogRebuild`).
    package func content(of stored: Item.Stored) throws -> Digest? {
        try record(in: stored)?.content
    }

    /// The record that a day's JSON has kept; nil where it cannot be read.
    package func record(of key: Key) throws -> Picture? {
        guard let stored = try catalog.item(of: key)?.stored else { return nil }
        return try record(in: stored)
    }

    private func record(in stored: Item.Stored) throws -> Picture? {
        try Document.ifReadable { try rebuild.document(of: stored)?.picture }
    }

    /// Reads a day back from its JSON; nil if that is not valid. `isWhole`: its SHA-256 is the catalog's.
    /// `known`: what the upstream sends of the day now. `mending`: one that cannot be read is not valid; else it is an
    /// error, which may pass, as what a person has set aside stands there alone.
    package func document(
        of stored: Item.Stored, knowing known: Picture, mending: Bool
    ) async throws -> (document: Document?, record: Picture?, isWhole: Bool) {
        try await blocking { [tree, rebuild] in
            try tree.wrapping(month: stored.name.folder) {
                func read() throws -> (document: Document, picture: Picture)? {
                    try rebuild.document(of: stored, knowing: known)
                }
                guard let (document, picture) = try mending ? Document.ifReadable(read) : read() else {
                    return (nil, nil, false)
                }
                return (document, picture, Digest(of: document.bytes) == stored.json)
            }
        }
    }

    /// Returns the day's files that are intact, judged by SHA-256 or, unless `byContent`, by size; then, those that a person
    /// has changed count as well.
    package func intactFiles(of stored: Item.Stored, byContent: Bool) async throws -> [StoredFile] {
        let tree = tree
        return try await blocking {
            try tree.wrapping(month: stored.name.folder) {
                guard let folder = try Tree.existingFolder(stored.name.folder, in: tree.root) else { return [] }
                var good: [StoredFile] = []
                for file in stored.files {
                    let isIntact = try folder.has(file, as: stored.name, byContent: byContent)
                    if try isIntact || !byContent && folder.isEdited(file, as: stored.name) { good.append(file) }
                }
                return good
            }
        }
    }

    /// Whether a day's JSON and all its files are as they were written.
    package func isWhole(_ stored: Item.Stored) async throws -> Bool {
        let intact = try await intactFiles(of: stored, byContent: true)
        guard intact.count == stored.files.count else { return false }
        return try await blocking { [tree] in
            try tree.wrapping(month: stored.name.folder) {
                try Document.of(stored.name, in: tree.root).map { Digest(of: $0.bytes) } == stored.json
            }
        }
    }

    /// Records what is known of an item of which nothing new is stored, as after a failure.
    package func record(_ item: Item) async throws {
        let catalog = catalog
        noteChanges(of: try await blocking { try catalog.record([.init(item)]) })
    }
}
