import Apod
import Files
import Glibc
import Store

/// Keeps the history true to the favorites folder. One thread at a time uses it.
///
/// `look` sees what is there (`Listing`), decides what that means (`FolderState`), and brings it to the disk: first the
/// albums, then the lines of the history. `settle` puts links and copies in order, ends links that stayed away, and
/// writes favorites.json. What could not be looked at or recorded stays due.
final class Keeper {
    let archive: Archive
    let listing: Listing
    let albums: AlbumSync
    let clock: @Sendable () -> Int
    private let now: @Sendable () -> ContinuousClock.Instant
    /// How long a link must be gone before it counts as removed.
    let settleDelay: Duration
    var state = FolderState()
    /// Places that are still to be looked at, and why that failed last.
    private(set) var due: (places: DirtyPaths, why: Problem)?
    /// Places that may need to be put in order.
    var work: [Place: Visit] = [:]
    /// What is put in order now. What comes meanwhile waits in `work`.
    var queue: [Place: Visit] = [:]
    /// Albums in which nothing could be changed, with the last error codes (errno(3)).
    var unwritable: [Album: Int32] = [:]
    /// The folder was scanned: the history has what is in it, and links that just went.
    private(set) var hasScanned = false
    /// The favorites can be relied on. A lost folder ends none.
    private(set) var knowsFavorites = false
    /// Something that was seen could not be recorded. Until it is, no link ends: it may have been moved.
    private(set) var isBehind = false
    /// Titles or files of favorites may be others.
    private var isListOld = false
    /// Something has changed since `takeNews` was last called.
    var isNews = true
    private var isLossNews = false

    init(
        _ archive: Archive, settleDelay: Duration = .seconds(2), clock: @escaping @Sendable () -> Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        unless isStopped: @escaping @Sendable () -> Bool = { Task.isCancelled }
    ) {
        self.archive = archive
        listing = Listing(
            root: archive.tree.root, catalog: archive.catalog, favorites: archive.favorites, clock: clock,
            isStopped: isStopped)
        albums = AlbumSync(root: archive.tree.root)
        (self.settleDelay, self.clock, self.now) = (settleDelay, clock, now)
    }

    var root: Folder { archive.tree.root }
    var catalog: Catalog { archive.catalog }
    var favorites: FavoritesLog { archive.favorites }
    private var moment: FolderState.Clocks { .init(instant: now(), seconds: clock()) }

    struct Visit: Sendable {
        /// Somebody may just have changed it.
        var isTouched = false
        /// The file, as it was when it began to rest: somebody may still be writing it.
        var rested: File.Facts?
    }

    /// New or changed links, and the open albums that they were seen in.
    private struct Change {
        var lines: [HistoryLine] = []
        /// The links among them that are new.
        var new: [Link] = []
        var folders: [Album: Folder] = [:]
    }

    /// Makes the folder only if no favorite is known: an empty new folder would end all favorites.
    func makeFolder() {
        if favorites.known.isEmpty { _ = try? root.makeFavorites(.top) }
    }

    /// Returns whether anything has changed since the last call.
    func takeNews() -> Bool {
        defer { isNews = false }
        return isNews
    }

    /// Returns the links that went together, if they are more than a few and were not returned before.
    func takeLoss() -> LinkLoss? {
        defer { isLossNews = false }
        return isLossNews ? favorites.known.loss(at: clock()) : nil
    }

    /// Looks at places that may have changed, and at those that `more` tells meanwhile. What it records is on the disk when
    /// it returns.
    func look(_ dirty: DirtyPaths, more: () -> Set<Place> = { [] }) throws {
        var dirty = dirty
        if isBehind, let due {
            dirty.add(due.places)
            self.due = nil
        }
        isBehind = true
        try see(dirty, more: more)
        isBehind = false
    }

    /// Looks again at what could not be looked at. Throws why some of it still cannot be.
    func lookAgain() throws {
        guard let places = due?.places else { return }
        try look(places)
        if let due { throw due.why }
    }

    func see(_ dirty: DirtyPaths, more: () -> Set<Place> = { [] }) throws {
        var dirty = dirty
        do {
            if try favorites.wasReplaced() { dirty = .everywhere }
            switch dirty {
            case .places(let places): try look(at: places, more: more)
            case .everywhere:
                try scan()
                // There may have been very many links.
                Memory.trim()
            }
        } catch {
            delay(dirty, error.problem)
            throw error
        }
    }

    private func delay(_ places: DirtyPaths, _ why: Problem) {
        var all = due?.places ?? .none
        all.add(places)
        due = (all, why)
    }

    /// How many places are looked at before the bell is read again, how many lines are recorded together, and after how many
    /// places the bell is left to the next look. The kernel keeps 16,384 events by default, and when there are more, all has
    /// to be looked at.
    private static let (portion, mostLines, mostPlaces) = (512, 8192, 262_144)

    /// The disk is waited for once for many lines.
    private func look(at places: Set<Place>, more: () -> Set<Place>) throws {
        var (left, count, change, unrecorded) = (Array(places)[...], 0, Change(), Set<Place>())
        func record() throws {
            try self.record(change)
            (change, unrecorded) = (Change(), [])
        }
        do {
            while !left.isEmpty {
                let some = Set(left.prefix(Self.portion))
                // A second look at a place has to know what the first one saw.
                if change.lines.count >= Self.mostLines || !unrecorded.isDisjoint(with: some) { try record() }
                left = left.dropFirst(Self.portion)
                unrecorded.formUnion(some)
                look(at: some, &change)
                count += some.count
                if count < Self.mostPlaces, !listing.isStopped() { left += more() }
            }
            try record()
        } catch {
            delay(.places(unrecorded.union(left)), error.problem)
            throw error
        }
    }

    private func look(at places: Set<Place>, _ change: inout Change) {
        if let (before, why) = due, case .places(let all) = before {
            due = all.isSubset(of: places) ? nil : (.places(all.subtracting(places)), why)
        }
        let moment = moment
        for (album, places) in Dictionary(grouping: places, by: \.album) {
            do {
                guard let folder = try root.favorites(album) else { continue }
                change.folders[album] = folder
                for place in places {
                    note(listing.look(at: place, in: folder), isHinted: true, at: moment, &change)
                }
            } catch {
                // An album that is gone is noticed by the next scan.
                if !error.problem.isNoAlbum { spare(album, error.problem) }
            }
        }
    }

    private func note(
        _ sighting: Sighting, isHinted: Bool, at moment: FolderState.Clocks, _ change: inout Change
    ) {
        let place = sighting.place
        for act in state.step(sighting, favorites.links(at: place), isHinted: isHinted, at: moment) {
            switch act {
            case .record(let line, let isNew):
                change.lines.append(line)
                if isNew { change.new.append(line.link) }
            case .tidy(let isTouched): need(place, isTouched)
            case .lookAgain(let error): delay(.places([place]), error)
            }
        }
    }

    private func need(_ place: Place, _ isTouched: Bool = false) {
        if isTouched || work[place] == nil { work[place, default: Visit()].isTouched = isTouched }
    }

    /// An album that cannot be read ends no link. One that something is mounted over is not read.
    private func spare(_ album: Album, _ why: Problem) {
        state.spare(album)
        if !why.isOtherMount { delay(.everywhere, why) }
    }

    private func scan() throws {
        // The bell follows the root's path, where another folder may be than the open one.
        try archive.checkPlaces()
        guard let top = openTop() else { return }
        due = nil
        let moment = moment
        var (change, unread) = (Change(), [Album]())
        var unmet = Set(favorites.known.places).union(state.leftAlone.keys)
        func note(_ sighting: Sighting) {
            unmet.remove(sighting.place)
            self.note(sighting, isHinted: false, at: moment, &change)
        }
        func miss(_ album: Album, _ error: Problem) {
            unread.append(album)
            spare(album, error)
        }
        try listing.lookEverywhere(in: top, { sighting, _ in note(sighting) }, unread: miss)
        if listing.isStopped() { throw Problem("read", top.path, code: ECANCELED) }
        for place in unmet where !unread.contains(where: place.album.isInside) { note(Sighting(place: place)) }
        // The scan is void if another folder has taken the place of this one.
        guard let again = openTop() else { return }
        guard try again.identity() == top.identity() else { return state.spare() }
        try record(change)
        // All that is untidy is tried again.
        unwritable = [:]
        // What was told before the first scan of what is left alone is an earlier process's word.
        if !hasScanned { (isNews, state.isLeftAloneNews) = (true, true) }
        (hasScanned, knowsFavorites) = (true, true)
        favorites.forget(before: try catalog.believed(clock()) - KnownFavorites.memory)
    }

    /// Opens the favorites folder. Returns nil where it is missing or cannot be read: then it ends nothing.
    private func openTop() -> Folder? {
        do { return try root.existingFavorites() } catch {
            state.spare()
            (knowsFavorites, due) = (true, nil)
            // The bell rings when a lack ends. What failed for a moment, it does not see.
            if error.problem.isAway || error.problem.isOfProcess || Tree.favoritesLack(in: root.path) == nil {
                delay(.everywhere, error.problem)
            }
            return nil
        }
    }

    /// Brings new links to the disk, then records them in the history. After an error, nothing is recorded.
    private func record(_ change: Change) throws {
        if change.lines.isEmpty { return }
        let (lines, moved) = (change.lines, state.moved(to: change.new))
        let ids = try catalog.ids(of: lines.map(\.link.key))
        let new = lines.map(\.link.key).filter { !favorites.isFavorite($0) }.days
        let files = Dictionary(grouping: lines.lazy.filter { !$0.isLink }.map(\.link.place), by: \.album)
        try albums.sync(
            Set(lines.map(\.link.place.album)), with: files.mapValues { $0.map(\.name) }, open: change.folders)
        isNews = true
        try favorites.append(
            lines.lazy.map { line in
                var line = line
                line.id = ids[line.link.key]
                line.from = moved[line.link]?.place
                if line.from != nil { line.change = .moved }
                return line
            })
        state.settle(moved.values)
        try catalog.askAgain(for: new)
    }

    /// Records what a thing is, and what it says, before it is put in order.
    func record(_ sighting: Sighting, _ facts: File.Facts) throws {
        let place = sighting.place
        guard let folder = try root.favorites(place.album),
            try folder.facts(of: place.name)?.isSame(as: facts) == true
        else { return }
        var (sighting, change) = (sighting, Change())
        sighting.isTidy = true
        if sighting.finding == .unrecognised(.file) { state.others[place] = facts }
        note(sighting, isHinted: true, at: moment, &change)
        try record(change)
    }

    /// Takes note of what was stored or changed. Returns whether links or the list may need work.
    func noteNew(_ keys: Set<Key>) -> Bool {
        // What was left alone may lead to an item that has just come, or name a day that is no longer far off. What fails
        // stays due.
        let reasons: Set<UnrecognisedReason> = keys.contains { $0.list != nil } ? [.unlike, .linkToFile] : [.toCome]
        let places = state.leftAlone.filter { reasons.contains($0.value) }.keys
        if !places.isEmpty { try? look(.places(Set(places))) }
        let links = favorites.known.links(to: keys)
        if links.isEmpty { return false }
        for link in links { need(link.link.place) }
        // Also after a restart.
        try? catalog.setFact(.exported, -1)
        (isListOld, isNews) = (true, true)
        return true
    }

    /// Puts links and copies in order until `isRung`, ends links that stayed away, and writes the list. Returns after what
    /// time there is more to do; nil: nothing is left.
    func settle(until isRung: @Sendable () -> Bool = { false }) throws -> Duration? {
        try archive.checkPlaces()
        try tidy(until: isRung)
        try end()
        if !queue.isEmpty { return .zero }
        try writeList()
        return state.going.isEmpty && work.isEmpty ? nil : settleDelay
    }

    func end() throws {
        if overdue.isEmpty { return }
        // Events are hints: a second look spares links that are there after all, or that cannot be seen. For very many, a
        // full scan is faster.
        let places = Set(overdue.map(\.link.place))
        try see(places.count > DirtyPaths.most ? .everywhere : .places(places))
        _ = openTop()
        let gone = overdue
        if gone.isEmpty { return }
        // Errors are ignored: a link that a power cut brings back is a favorite again.
        for album in Set(gone.map(\.link.place.album)) { try? albums.sync([album]) }
        // Times are in whole seconds: two that differ by one may be almost two seconds apart.
        let present = favorites.known.links(to: Set(gone.map(\.link.key)))
        let window = max(0, Int(settleDelay / .seconds(1)) - 1)
        let lines = FolderState.ending(gone, of: present, window: window, at: clock())
        try favorites.append(lines)
        state.settle(gone.map(\.link))
        isNews = true
        if lines.contains(where: { $0.change == .went }) { isLossNews = true }
    }

    private var overdue: [RemovedLink] {
        if isBehind || due?.why.isOfProcess == true { return [] }
        return state.overdue(since: now() - settleDelay)
    }

    /// Runs `work`, which makes or deletes links and returns where. Returns when the history and the list say so.
    func carryOut(_ work: () throws -> Set<Place>) throws {
        if !hasScanned { try look(.everywhere) }
        let places = try work()
        let others = due
        due = nil
        defer { if let others { delay(others.places, others.why) } }
        try see(.places(places))
        // What was not seen is not told as done.
        if let due { throw due.why }
        state.expire(places, after: settleDelay)
        try end()
        try writeList()
    }

    private func writeList() throws {
        if hasScanned, state.isLeftAloneNews {
            try catalog.setLeftAlone(state.leftAlone)
            (isNews, state.isLeftAloneNews) = (true, false)
        }
        let anew = isListOld
        isListOld = false
        do {
            isListOld = try !FavoritesExport(archive.tree, archive.catalog, archive.favorites).write(anew: anew)
        } catch {
            isListOld = anew
            throw error
        }
    }
}
