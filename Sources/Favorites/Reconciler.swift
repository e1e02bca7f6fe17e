internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Files
import Glibc
import Synchronization

/// Keeps the history true to the favorites folder.
///
/// `note` looks at places that may have changed, and records what came. `end` ends links that stayed away, and writes
/// the list. `tidy` puts links and copies in order, which may take long and delays neither. `FavoritesState`, behind
/// one lock, decides what a sighting means. Cancelling the task cuts long work short; what was not done stays due.
final class Reconciler: Sendable {
    let archive: Archive
    let resolver: LinkResolver
    let adoption: Adoption
    let list: FavoritesFile
    let folders: FolderFlush
    let raceHook: RaceHook
    let clock: @Sendable () -> Int
    let now: @Sendable () -> ContinuousClock.Instant
    let state = Mutex(FavoritesState())
    /// Held while the list is written.
    let writing = Mutex(())
    /// How long a link must be gone before it counts as removed.
    let settleDelay: Duration

    init(
        _ archive: Archive, settleDelay: Duration = .seconds(2), clock: @escaping @Sendable () -> Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, raceHook: @escaping RaceHook = { _ in }
    ) {
        self.archive = archive
        let tree = archive.tree
        resolver = LinkResolver(
            root: tree.root, catalog: archive.catalog, favorites: archive.favorites, clock: clock)
        adoption = Adoption(archive: archive, resolver: resolver, raceHook: raceHook)
        list = FavoritesFile(archive)
        folders = FolderFlush(root: tree.root, raceHook: raceHook)
        self.clock = clock
        self.raceHook = raceHook
        self.now = now
        self.settleDelay = settleDelay
    }

    var tree: Tree { archive.tree }
    var catalog: Catalog { archive.catalog }
    var favorites: FavoritesLog { archive.favorites }
    var moment: FavoritesState.Moment { .init(instant: now(), seconds: clock()) }

    /// The folder was scanned: the history has what is in it, and links that just went.
    var hasScanned: Bool { state.withLock(\.hasScanned) }
    /// True also for a lost folder, which ends no favorite.
    var knowsFavorites: Bool { state.withLock { $0.hasScanned || $0.isLost } }

    /// Links or copies may need to be put in order.
    var hasWork: Bool { state.withLock { $0.work != .none } }

    /// The list must be written again.
    var isListOld: Bool { state.withLock(\.isListOld) }

    /// Returns whether anything has changed since the last call.
    func takeChanged() -> Bool {
        state.withLock { state in
            defer { state.isNews = false }
            return state.isNews
        }
    }

    /// Makes the folder only if no favorite is known: an empty new folder would end all favorites.
    func makeFolder() {
        guard favorites.known.isEmpty else { return }
        _ = try? tree.root.makeFavorites(.top)
    }

    /// Looks at places that may have changed. What it records is on the disk when it returns. What could not be looked
    /// at or recorded stays due.
    func note(_ dirty: DirtyPaths) throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            var dirty = dirty
            if state.isBehind, let due = state.takeDue() { dirty.add(due.places) }
            state.isBehind = true
            try note(dirty, &state)
            state.isBehind = false
        }
    }

    /// Something could not be looked at.
    var isDue: Bool { state.withLock { $0.due != nil } }

    /// Looks again at what could not be looked at. Throws why some of it still cannot be.
    func lookAgain() throws(StorageError) {
        guard let due = state.withLock(\.due) else { return }
        try note(due.places)
        if let due = state.withLock(\.due) { throw due.why }
    }

    func note(_ dirty: DirtyPaths, _ state: inout FavoritesState) throws(StorageError) {
        do throws(StorageError) {
            switch dirty {
            case .places(let places): try look(at: places, &state)
            case .everywhere:
                try scan(&state)
                // Before more is done: there may have been very many links.
                Memory.trim()
            }
        } catch {
            state.delay(dirty, error)
            throw error
        }
    }

    private func look(at places: Set<Place>, _ state: inout FavoritesState) throws(StorageError) {
        var change = FolderChange()
        let moment = moment
        state.begin(places)
        for (album, places) in Dictionary(grouping: places, by: \.album) {
            guard let folder = folder(of: album, &state) else { continue }
            for place in places { see(resolver.look(at: place, in: folder), &state, at: moment, &change) }
        }
        raceHook(.seen)
        try remember(change, &state)
    }

    /// A look at a place that somebody may just have changed.
    func see(
        _ sighting: Sighting, _ state: inout FavoritesState, at moment: FavoritesState.Moment,
        _ change: inout FolderChange
    ) {
        state.see(sighting, favorites.links(at: sighting.place), isHinted: true, at: moment, &change)
    }

    /// Returns nil for an album that cannot be read, which ends nothing, or that is gone, which the next scan notices.
    private func folder(of album: Album, _ state: inout FavoritesState) -> Folder? {
        do throws(StorageError) { return try tree.root.favorites(album) } catch {
            if !error.isNoAlbum { state.spare(album, error) }
            return nil
        }
    }

    private func scan(_ state: inout FavoritesState) throws(StorageError) {
        // The watcher follows the root's path, where another folder may be than the open one.
        try archive.checkPlaces()
        guard let top = top(&state) else { return }
        if !state.hasScanned { state.unwritable = try catalog.unwritable() }
        var scan = FolderScan(state, favorites, at: moment)
        try scan.run(resolver, top: top)
        if Task.isCancelled { throw StorageError("read", top.path, code: ECANCELED) }
        raceHook(.seen)
        // The scan is void if another folder has taken the place of this one.
        guard let again = self.top(&state) else { return }
        guard try again.identity() == top.identity() else { return state.lose() }
        var new = scan.state
        try remember(scan.change, &new)
        // All that is untidy is tried again.
        new.unwritable = [:]
        state = new
    }

    /// Opens the favorites folder. Returns nil where it is missing or cannot be read: then it ends nothing.
    func top(_ state: inout FavoritesState) -> Folder? {
        do throws(StorageError) { return try tree.root.existingFavorites() } catch {
            state.lose()
            _ = state.takeDue()
            // The watcher sees how a lack ends. What failed for a moment, it does not see.
            if error.isAway || error.isOfProcess || FavoritesLack(in: tree.root.path) == nil {
                state.delay(.everywhere, error)
            }
            return nil
        }
    }

    /// Brings new links to the disk, then records a change in the history. After an error, nothing is recorded.
    func remember(_ change: FolderChange, _ state: inout FavoritesState) throws(StorageError) {
        if change.isEmpty { return }
        var change = change
        change.moved = state.moved(to: change.new)
        let new = change.new.map(\.subject).filter { !favorites.known.isFavorite($0) }
        try change.identify(by: catalog)
        try folders.sync(change.albums, with: change.files)
        state.isNews = true
        try favorites.append(change.lines(at: clock()))
        state.remember(change)
        try catalog.askAgain(for: new.days)
    }

    /// Takes note of days and items that were stored or changed. Returns whether links or the list may need work.
    func noteNewDays(_ days: Set<Day>) -> Bool {
        if days.contains(where: \.isItem) { lookAtLinksToItems() }
        let links = favorites.known.links(to: days)
        // The list may be old all the same, as when somebody's file had its name.
        if links.isEmpty { return state.withLock(\.isListOld) }
        state.withLock { state in
            state.work.add(.places(Set(links.map(\.link.place))))
            (state.isListOld, state.isNews) = (true, true)
        }
        return true
    }
}

extension Reconciler {
    /// What was left alone may lead to an item that has just come. What fails stays due.
    private func lookAtLinksToItems() {
        let places = state.withLock { $0.leftAlone.filter { [.unlike, .linkToFile].contains($0.value) }.keys }
        if !places.isEmpty { try? note(.places(Set(places))) }
    }
}

extension FolderChange {
    fileprivate var albums: Set<Album> { Set(came.map(\.link.place.album)) }

    /// New things that are no symbolic links, and so count by their content.
    fileprivate var files: [Album: [Name]] {
        Dictionary(grouping: came.lazy.filter { !$0.isLink }.map(\.link.place), by: \.album).mapValues {
            $0.map(\.name)
        }
    }
}
