package import Apod
package import Archive
internal import Catalog
internal import Concurrency
package import Files
import Synchronization
package import Watching

/// Keeps the catalog true to the favorites folder.
///
/// `note` looks where something may have changed, and remembers what came; `end` ends what stayed away and writes the list;
/// `tidy` puts links and copies in order, which may take long and holds up neither. What all of it means is decided by
/// `FavoritesState`, behind one lock.
package final class Reconciler: Sendable {
    let archive: Archive
    let resolver: LinkResolver
    let adoption: Adoption
    let list: FavoritesFile
    let folders: FolderFlush
    let history: FavoritesHistory
    let raceHook: RaceHook
    let clock: @Sendable () -> Int
    let now: @Sendable () -> ContinuousClock.Instant
    let state = Mutex(FavoritesState())
    private let isStopped = StopFlag()
    /// How long what went must stay away.
    package let settleDelay: Duration

    package init(
        _ archive: Archive, settleDelay: Duration = .seconds(2), clock: @escaping @Sendable () -> Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, raceHook: @escaping RaceHook = { _ in }
    ) {
        self.archive = archive
        let tree = archive.tree
        resolver = LinkResolver(
            root: tree.root, catalog: archive.catalog, isStopped: { [isStopped] in isStopped.isSet })
        adoption = Adoption(archive: archive, resolver: resolver, clock: clock, raceHook: raceHook)
        list = FavoritesFile(tree: tree, catalog: archive.catalog)
        folders = FolderFlush(root: tree.root, raceHook: raceHook)
        history = FavoritesHistory(tree)
        self.clock = clock
        self.raceHook = raceHook
        self.now = now
        self.settleDelay = settleDelay
    }

    var tree: Tree { archive.tree }
    var catalog: Catalog { archive.catalog }
    var moment: FavoritesState.Moment { .init(instant: now(), seconds: clock()) }

    /// The folder was looked at: what the catalog says is what is there, but for what just went.
    var hasScanned: Bool { state.withLock(\.hasScanned) }
    /// A folder that is lost decides nothing: the favorites are those that are known.
    var knowsFavorites: Bool { state.withLock { $0.hasScanned || $0.isLost } }

    /// Links or copies are to be put in order.
    var hasWork: Bool { state.withLock { $0.work != .none } }

    /// The list says something else.
    var isListOld: Bool { state.withLock(\.isListOld) }

    /// Whether anything has become another since this was asked last.
    func takeNews() -> Bool {
        state.withLock { state in
            defer { state.isNews = false }
            return state.isNews
        }
    }

    /// What takes long ends soon, to be done the next time.
    package func stop() { isStopped.set() }

    /// Makes the folder where no favorite is known. One that was there before and is not has been lost.
    package func makeFolder() {
        guard (try? catalog.albums().isEmpty) == true else { return }
        _ = try? tree.root.makeFavorites(.top)
    }

    /// Looks where something may have changed. What is new is on the disk when this returns.
    package func note(_ dirty: DirtyPaths) throws(StorageError) {
        try state.withLock { state throws(StorageError) in try note(dirty, &state) }
    }

    func note(_ dirty: DirtyPaths, _ state: inout FavoritesState) throws(StorageError) {
        switch dirty {
        case .places(let places): try look(at: places, &state)
        case .everywhere: try scan(&state)
        }
    }

    private func look(at places: Set<Place>, _ state: inout FavoritesState) throws(StorageError) {
        var change = FolderChange()
        let moment = moment
        do throws(StorageError) {
            for (album, places) in Dictionary(grouping: places, by: \.album) {
                guard let folder = try folder(of: album, &state) else { continue }
                for place in places {
                    let sighting = resolver.look(at: place, in: folder)
                    if case .unknown(let error) = sighting.finding, error.isOfProcess { throw error }
                    state.see(sighting, try catalog.links(at: place), isHinted: true, at: moment, &change)
                }
            }
            raceHook(.seen)
            try remember(change, &state)
        } catch {
            // What is not understood may have been counted, and is not noted.
            if !change.unrecognised.isEmpty { state.needsCount = true }
            throw error
        }
    }

    /// nil for an album that cannot be looked into, of which nothing can be said, or that is gone, of which the next look at
    /// everything tells.
    private func folder(of album: Album, _ state: inout FavoritesState) throws(StorageError) -> Folder? {
        do throws(StorageError) { return try tree.root.favorites(album) } catch {
            if error.isOfProcess { throw error }
            if !error.isNoAlbum { state.spare(album) }
            return nil
        }
    }

    private func scan(_ state: inout FavoritesState) throws(StorageError) {
        // Whoever watches follows the path; what was opened may be something else by now.
        try archive.checkPlaces()
        guard let top = try top(&state) else { return }
        var scan = FolderScan(state, catalog, at: moment)
        try scan.run(FolderListing(resolver, top: top))
        if isStopped.isSet { return }
        raceHook(.seen)
        // Nothing of what was seen counts if that was another folder.
        guard let seen = try? top.identity(), (try? tree.root.favorites(.top)?.identity()) == seen else {
            return state.lose()
        }
        var new = scan.state
        new.unsynced = Unsynced()
        try remember(scan.change, &new)
        // Perhaps it can be changed now.
        new.work.add(new.unwritable.places)
        state = new
    }

    /// The favorites folder; nil where there is none that can be looked into: then nothing is decided.
    private func top(_ state: inout FavoritesState) throws(StorageError) -> Folder? {
        do throws(StorageError) { return try tree.root.existingFavorites() } catch {
            if error.isOfProcess { throw error }
            state.lose()
            return nil
        }
    }

    /// All of it at once.
    func remember(_ change: FolderChange, _ state: inout FavoritesState) throws(StorageError) {
        var change = change
        sync(&change, &state)
        if change.isEmpty { return }
        state.isNews = true
        try catalog.record(change, at: clock()) { [history] entries throws(StorageError) in try history.append(entries)
        }
    }

    /// What was seen is on the disk before it comes into the catalog. Where that cannot be, it is left out. What is gone
    /// is not: if a power cut brings it back, it is a favorite again.
    private func sync(_ change: inout FolderChange, _ state: inout FavoritesState) {
        if change.came.isEmpty { return }
        let failures = folders.sync(change.albums, with: change.files)
        if failures.isEmpty { return }
        let days = change.leaveOut(Set(failures.keys))
        state.unsynced.add(Unsynced(failures: failures, days: days))
    }

    /// Some days have come, or have become others. Returns whether that is of interest here.
    package func noteNewDays(_ days: Set<Day>) -> Bool {
        let work: DirtyPaths
        do throws(StorageError) {
            // Somebody's file may have been in the list's place.
            guard let links = try catalog.links(toFavoritesAmong: days) else { return state.withLock(\.isListOld) }
            work = .places(Set(links))
        } catch {
            // Who cannot find out looks at everything, and is told then what is wrong.
            work = .everywhere
        }
        state.withLock { state in
            state.work.add(work)
            (state.isListOld, state.isNews) = (true, true)
        }
        return true
    }
}

extension FolderChange {
    /// The folders in which something has come.
    fileprivate var albums: Set<Album> { Set(came.map(\.link.place.album)) }

    /// What stands for days now, and may be files.
    fileprivate var files: [Album: [Name]] {
        Dictionary(grouping: came.lazy.filter { !$0.isLink }.map(\.link.place), by: \.album).mapValues {
            $0.map(\.name)
        }
    }

    /// Forgets what came in some albums. Returns the days that it stands for.
    fileprivate mutating func leaveOut(_ albums: Set<Album>) -> Set<Day> {
        let days = came.lazy.filter { albums.contains($0.link.place.album) }.map(\.link.day)
        defer { came.removeAll { albums.contains($0.link.place.album) } }
        return Set(days)
    }
}
