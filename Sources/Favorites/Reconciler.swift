package import Apod
package import Archive
internal import Catalog
internal import Concurrency
package import Files
import Synchronization
package import Watching

/// Keeps the catalog true to the favorites folder. Notes at once what is new there; what went away, and what is to be
/// put in order, is settled when nothing has changed for a while.
package final class Reconciler: Sendable {
    /// Why links that went may not have been meant to go.
    enum Doubt {
        /// The favorites folder is gone, or another one: so may the links be that went one by one just before.
        case folderGone
        /// Most went while nobody looked: so may those be, and what goes next.
        case mostGone
    }

    let archive: Archive
    let resolver: LinkResolver
    let adoption: Adoption
    let list: FavoritesFile
    let folders: FolderFlush
    let raceHook: RaceHook
    let clock: @Sendable () -> Int
    let now: @Sendable () -> ContinuousClock.Instant
    let state = Mutex(ReconcilerState())
    /// Held while looking and remembering, so that nothing comes in between.
    let scanLock = Mutex(())
    /// Held while doing what somebody asked for.
    let requestLock = Mutex(())
    private let isStopped = StopFlag()
    /// How long what went must stay away.
    package let settleDelay: Duration

    /// `isBack`: where a link leads to has not answered for a while, and has now.
    package init(
        _ archive: Archive, adopts: Bool = true, settleDelay: Duration = .seconds(2),
        clock: @escaping @Sendable () -> Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        isBack: @escaping @Sendable () -> Void = {}, raceHook: @escaping RaceHook = { _ in }
    ) {
        self.archive = archive
        let (tree, catalog) = (archive.tree, archive.catalog)
        resolver = LinkResolver(
            root: tree.root, catalog: catalog, follower: LinkFollower(root: tree.root, isBack: isBack),
            isStopped: { [isStopped] in isStopped.isSet })
        adoption = Adoption(
            tree: tree, catalog: catalog, resolver: resolver, isAllowed: adopts,
            isStopped: { [isStopped] in isStopped.isSet }, raceHook: raceHook)
        list = FavoritesFile(tree: tree, catalog: catalog, clock: clock)
        folders = FolderFlush(root: tree.root, raceHook: raceHook)
        self.clock = clock
        self.raceHook = raceHook
        self.now = now
        self.settleDelay = settleDelay
        // What cannot be noted now is noted at the next start.
        try? catalog.noteRoot(tree.root.path)
    }

    var tree: Tree { archive.tree }
    var catalog: Catalog { archive.catalog }

    /// The folder was looked at, and what had gone while nobody looked is no favorite any more.
    var isCaughtUp: Bool { state.withLock(\.isCaughtUp) }

    /// What takes long ends soon, to be done the next time.
    package func stop() { isStopped.set() }

    /// Makes the folder for the first favorites. One that was there before and is not has been lost.
    package func makeFolder() {
        guard let albums = try? catalog.albums(), albums.isEmpty else { return }
        _ = try? tree.root.makeFolder(Tree.favorites, shared: true)
    }

    /// Looks where something may have changed. What is new is on the disk when this returns.
    package func note(_ dirty: DirtyPaths) throws(StorageError) {
        try scanLock.withLock { _ throws(StorageError) in
            switch dirty {
            case .places(let places): try look(at: places)
            case .everywhere: try scanAgain()
            }
        }
    }

    /// How many links have vanished, in a way that may not have been meant, since this was last asked.
    package func takeVanished() -> Int {
        state.withLock { state in
            defer { state.vanished = 0 }
            return state.vanished
        }
    }

    func look(at places: Set<Place>) throws(StorageError) {
        var seen = FolderDiff(room: try catalog.roomForUnrecognised())
        let own = OwnFolders(of: tree.root)
        for (album, places) in Dictionary(grouping: places, by: \.album) {
            // Of a folder that is not there or cannot be opened, nothing can be said.
            guard let folder = try folder(of: album, beside: own) else { continue }
            for place in places {
                seen.compare(resolver.look(at: place, in: folder), try catalog.meaning(of: place), isHinted: true)
            }
            try seen.noteFingerprint(of: album, folder, in: tree.root, catalog)
        }
        if let shortage = seen.shortage { throw shortage }
        raceHook(.seen)
        try seen.noteElsewhere(in: catalog)
        try remember(seen, work: .places(places))
    }

    private func folder(of album: Album, beside own: OwnFolders) throws(StorageError) -> Folder? {
        do throws(StorageError) { return try own.album(album) } catch {
            if error.isOfProcess { throw error }
            return nil
        }
    }

    /// Sees what was left out, too.
    private func scanAgain() throws(StorageError) {
        let before = state.withLock { state in
            defer { state.unsynced = Unsynced() }
            return state.unsynced
        }
        do throws(StorageError) {
            try scan()
        } catch {
            state.withLock { $0.unsynced.add(before) }
            throw error
        }
    }

    private func scan() throws(StorageError) {
        // Whoever watches follows the path; what was opened may be something else by now.
        try archive.checkPlaces()
        let top: Folder
        let fingerprint: Folder.Fingerprint
        do throws(StorageError) {
            top = try tree.root.existingFolder(.favorites)
            fingerprint = try top.fingerprint()
        } catch {
            if NoFavoritesReason(root: tree.root.path) != nil {
                try remember(FolderDiff(), work: .none, doubt: .folderGone)
            }
            if error.isOfProcess { throw error }
            return try tell(of: AwayFolders([error]))
        }
        try catalog.forgetEmptyAlbums()
        var scan = try Scan(resolver, catalog, isStopped: { [isStopped] in isStopped.isSet })
        try scan.run(top)
        if let shortage = scan.seen.shortage { throw shortage }
        guard scan.isComplete else { return }
        try tell(of: AwayFolders(scan.failed.values))
        raceHook(.seen)
        let isFirst = state.withLock { !$0.hasScanned }
        var seen = scan.seen
        var isMassive = false
        if (try? tree.root.favorites(.top)?.fingerprint()) != fingerprint {
            seen.missNothing()
        } else {
            isMassive = seen.setAside(nobodyLooked: isFirst, isTopSame: !scan.isTopReplaced)
        }
        let doubt: Doubt? = isMassive ? .mostGone : scan.isTopReplaced ? .folderGone : nil
        try remember(seen, work: isFirst ? .everywhere : seen.work, doubt: doubt)
        if scan.hasSeenAll { try catalog.noteAllSeen() }
        state.withLock { state in
            state.hasScanned = true
            // Perhaps it can be changed now.
            state.work.add(state.unwritable.places)
        }
    }

    private func tell(of away: AwayFolders) throws(StorageError) {
        let words = away.remark(in: tree.root)
        if try catalog.remark(.away) != words { try catalog.setRemark(.away, words) }
    }

    /// All of it at once: after half of a loss, nobody would see the rest of it.
    func remember(_ seen: FolderDiff, work: DirtyPaths, doubt: Doubt? = nil) throws(StorageError) {
        let moment = now()
        let effect = try effect(of: seen.missing, doubt)
        var change = seen.change
        sync(&change)
        if !change.isEmpty || effect != .none {
            let broughtBack = try catalog.record(change, effect, at: clock())
            if effect.isLoss { noteVanished(before: broughtBack) }
        }
        noteSeen(seen, work: work, at: moment)
    }

    /// What was seen is on the disk before it comes into the catalog. Where that cannot be, it is left out. What is gone
    /// is not: if a power cut brings it back, it is a favorite again.
    func sync(_ change: inout FolderChange) {
        if change.isEmpty { return }
        let failures = folders.sync(change.albums, with: change.recognisedFiles)
        if failures.isEmpty { return }
        let days = change.leaveOut(failures.keys)
        state.withLock { $0.unsynced.add(Unsynced(failures: failures, days: days)) }
    }

    private func effect(
        of missing: [FolderDiff.MissingLink], _ doubt: Doubt?
    ) throws(StorageError) -> RemovalRun.Effect {
        if missing.isEmpty, doubt == nil { return .none }
        let goesOn = try runGoesOn()
        // Links that go now may have nothing to do with those that went before.
        let isNew = !missing.isEmpty && !goesOn && state.withLock(\.missing.isEmpty)
        if let doubt, goesOn || doubt == .mostGone { return goesOn ? .becomesLoss : .beginsAsLoss }
        return isNew ? .begins : .none
    }

    private func runGoesOn() throws(StorageError) -> Bool {
        let run = try catalog.removalRun()
        // By the clock only what another process has seen: it may have been set since.
        let pause = state.withLock(\.lastRemoval).map { now() - $0 }
        return run?.goesOn(at: clock(), after: pause) ?? false
    }

    /// With what goes now, so many links that went before turn out to have vanished.
    private func noteVanished(before vanished: Int) {
        state.withLock { state in
            state.lastRemoval = now()
            state.vanished += vanished
            if vanished > 0 { state.isListOld = true }
        }
    }

    private func noteSeen(_ seen: FolderDiff, work: DirtyPaths, at moment: ContinuousClock.Instant) {
        state.withLock { state in
            state.work.add(work)
            if seen.isCrowded { state.isCrowded = true }
            if !seen.change.isEmpty { state.isListOld = true }
            state.vanished += seen.change.vanished.count
            for link in seen.change.vanished { state.missing[link] = nil }
            state.newLinks.merge(seen.newLinks, uniquingKeysWith: +)
            for each in seen.missing where state.missing[each.link] == nil { state.missing[each.link] = moment }
        }
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
            state.isListOld = true
        }
        return true
    }

    /// Confirms that links which vanished are meant to be gone. Returns whose they were.
    package func forget(_ days: Set<Day>?) throws(StorageError) -> Set<Day> {
        let forgotten = try catalog.forget(days, at: clock())
        if !forgotten.isEmpty { state.withLock { $0.isListOld = true } }
        return forgotten
    }
}
