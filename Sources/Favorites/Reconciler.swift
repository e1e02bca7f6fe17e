package import Apod
package import Archive
internal import Files
import Synchronization

/// Keeps the catalog true to the favorites folder. Notes at once what is new there; what went away, and what is to be
/// put in order, is settled when the folder has rested.
package final class Reconciler: Sendable {
    struct State {
        /// Where there may be something to put in order.
        var unsettled = Hints.none
        /// Links that are gone or lead elsewhere now, and where they led.
        var lost: [Place: Day] = [:]
        var lastLoss: ContinuousClock.Instant?
        var hasScanned = false
        /// The last run may have left favorites without links, and a list of favorites that is old.
        var hasSettled = false
        var isListOld = true
    }

    let tree: Tree
    let catalog: Catalog
    let recognition: Recognition
    let adoption: Adoption
    let list: FavoritesList
    let clock: @Sendable () -> Int
    let state = Mutex(State())
    /// Held while looking and remembering, so that nothing comes in between.
    let turn = Mutex(())
    private let isStopped = Flag()
    /// How long what went must stay away.
    package let rest: Duration

    package init(_ archive: Archive, adopts: Bool, rest: Duration = .seconds(2), clock: @escaping @Sendable () -> Int) {
        tree = archive.tree
        catalog = archive.catalog
        recognition = Recognition(root: tree.root, catalog: catalog)
        adoption = Adoption(
            tree: tree, catalog: catalog, recognition: recognition, isAllowed: adopts,
            isStopped: { [isStopped] in isStopped.value.load(ordering: .relaxed) })
        list = FavoritesList(tree: tree, catalog: catalog)
        self.clock = clock
        self.rest = rest
    }

    /// What takes long ends soon, to be done the next time.
    package func stop() { isStopped.value.store(true, ordering: .relaxed) }

    /// Makes the folder for the first favorites. One that was there before and is not has been lost.
    package func makeFolder() {
        guard let albums = try? catalog.albums(), albums.isEmpty else { return }
        _ = try? tree.root.makeFolder(Tree.favorites)
    }

    /// Looks where something may have changed. What is new is on the disk when this returns.
    package func note(_ hints: Hints) throws(ArchiveError) {
        try turn.withLock { _ throws(ArchiveError) in
            switch hints {
            case .places(let places): try look(at: places)
            case .everywhere: try scan()
            }
        }
    }

    private func look(at places: Set<Place>) throws(ArchiveError) {
        var seen = Observation()
        for (album, places) in Dictionary(grouping: places, by: \.album) {
            // Of a folder that is not there or cannot be opened, nothing can be said.
            guard let folder = try? tree.favorites(album) else { continue }
            for place in places {
                let finding = recognition.look(at: place.name, in: folder, depth: album.depth)
                seen.take(finding, at: place, try memory(of: place), isHinted: true)
            }
        }
        try remember(seen, unsettled: .places(places))
    }

    private func scan() throws(ArchiveError) {
        guard let top = try? tree.favorites(.top), let mark = try? top.mark() else { return }
        var scan = try remembering { catalog throws(CatalogError) in
            var scan = try Scan(recognition, catalog)
            try scan.run(top)
            return scan
        }
        let isFirst = state.withLock { !$0.hasScanned }
        if (try? tree.favorites(.top)?.mark()) != mark {
            scan.missNothing()
        } else {
            let isMassive = isFirst && Self.isMassive(scan.seen.losses.count, left: scan.seen.links)
            scan.keep { isMassive || !$0.isFolderSame }
        }
        let work =
            isFirst ? .everywhere : scan.seen.work(adopting: adoption.isAllowed)
        try remember(scan.seen, unsettled: work)
        state.withLock { $0.hasScanned = true }
    }

    /// Whether so much went while nobody looked that it may not have been meant.
    private static func isMassive(_ losses: Int, left: Int) -> Bool { left == 0 || losses >= 10 && losses > left }

    func remember(_ seen: Observation, unsettled: Hints) throws(ArchiveError) {
        if !seen.change.isEmpty {
            try remembering { catalog throws(CatalogError) in try catalog.record(seen.change, at: clock()) }
        }
        let lost = seen.lost
        state.withLock { state in
            state.unsettled.add(unsettled)
            if !seen.change.isEmpty { state.isListOld = true }
            for place in seen.change.vanished { state.lost[place] = nil }
            if lost.isEmpty { return }
            state.lost.merge(lost) { first, _ in first }
            state.lastLoss = .now
        }
    }

    /// Days that were only wished for are here now.
    package func welcome(_ days: Set<Day>) throws(ArchiveError) {
        let places = try remembering { catalog throws(CatalogError) in try catalog.places(of: days) }
        state.withLock { state in
            for place in places { state.unsettled.add(place) }
            state.isListOld = true
        }
    }

    /// Confirms that links which vanished are meant to be gone. Returns whose they were.
    package func forget(_ days: Set<Day>?) throws(ArchiveError) -> Set<Day> {
        let forgotten = try remembering { catalog throws(CatalogError) in try catalog.forget(days, at: clock()) }
        if !forgotten.isEmpty { state.withLock { $0.isListOld = true } }
        return forgotten
    }

    func memory(of place: Place) throws(ArchiveError) -> Memory? {
        try remembering { catalog throws(CatalogError) in try catalog.memory(of: place) }
    }

    func remembering<Value>(
        _ work: (Catalog) throws(CatalogError) -> Value
    ) throws(ArchiveError) -> Value {
        do throws(CatalogError) { return try work(catalog) } catch { throw .catalog(error) }
    }
}

private final class Flag: Sendable { let value = Atomic(false) }
