package import Apod
package import Archive
internal import Files
import Synchronization

/// Keeps the catalog true to the favorites folder. Notes at once what is new there; what went away, and what is to be
/// put in order, is settled when the folder has rested.
package final class Reconciler: Sendable {
    private struct State {
        /// Where there may be something to put in order.
        var unsettled = Hints.none
        /// Where it was tried in vain.
        var refused: Set<Place> = []
        /// Links that are gone or lead elsewhere now, and where they led.
        var lost: [Place: Day] = [:]
        var lastLoss: ContinuousClock.Instant?
        var hasScanned = false
        /// The last run may have left favorites without links, and a list of favorites that is old.
        var hasSettled = false
        var isListOld = true
    }

    private let tree: Tree
    private let catalog: Catalog
    private let recognition: Recognition
    private let adoption: Adoption
    private let list: FavoritesList
    private let clock: @Sendable () -> Int
    private let state = Mutex(State())
    /// Held while looking and remembering, so that nothing comes in between.
    private let turn = Mutex(())
    /// How long what went must stay away.
    package let rest: Duration

    package init(_ archive: Archive, adopts: Bool, rest: Duration = .seconds(2), clock: @escaping @Sendable () -> Int) {
        tree = archive.tree
        catalog = archive.catalog
        recognition = Recognition(root: tree.root, catalog: catalog)
        adoption = Adoption(tree: tree, catalog: catalog, recognition: recognition, isAllowed: adopts)
        list = FavoritesList(tree: tree, catalog: catalog)
        self.clock = clock
        self.rest = rest
    }

    /// Makes the folder for the first favorites. One that was there before and is not has been lost.
    package func makeFolder() {
        guard let albums = try? catalog.albums(), albums.isEmpty else { return }
        _ = try? tree.root.makeFolder(Tree.favorites)
    }

    // MARK: - At once

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
        let hasNews = isFirst || !scan.seen.change.isEmpty
        // What means the same as before may have been made anew nevertheless.
        let disorder = adoption.isAllowed ? scan.seen.disorder.without(state.withLock(\.refused)) : .none
        try remember(scan.seen, unsettled: hasNews ? .everywhere : disorder)
        state.withLock { $0.hasScanned = true }
    }

    /// Whether so much went while nobody looked that it may not have been meant.
    private static func isMassive(_ losses: Int, left: Int) -> Bool { left == 0 || losses >= 10 && losses > left }

    private func remember(_ seen: Observation, unsettled: Hints) throws(ArchiveError) {
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

    // MARK: - After a rest

    /// Ends favorites whose links stayed away, puts links in order and writes the list. Returns whether nothing is
    /// left to be done later.
    package func settle() throws(ArchiveError) -> Bool {
        let work = state.withLock { state in
            defer { state.unsettled = .none }
            return state.unsettled
        }
        do throws(ArchiveError) {
            let isCertain = try removeLost()
            let left = try putInOrder(work)
            try writeList()
            state.withLock { $0.unsettled.add(.places(left)) }
            return isCertain && left.isEmpty
        } catch {
            state.withLock { $0.unsettled.add(work) }
            throw error
        }
    }

    /// Returns whether nobody has to look once more.
    private func removeLost() throws(ArchiveError) -> Bool {
        try turn.withLock { _ throws(ArchiveError) in
            let (lost, last, hasSettled) = state.withLock { ($0.lost, $0.lastLoss, $0.hasSettled) }
            if let last, .now - last < rest { return false }
            if lost.isEmpty, hasSettled { return true }
            var change = FolderChange()
            change.gone = try stillGone(lost)
            let clock = clock()
            let links = Dictionary(lost.map { ($0.value, $0.key) }) { first, _ in first }
            try remembering { catalog throws(CatalogError) in
                if !change.isEmpty { try catalog.record(change, at: clock) }
                try catalog.dropOrphans(lost: links, as: .removed, at: clock)
            }
            state.withLock { state in
                state.lost = [:]
                state.lastLoss = nil
                state.hasSettled = true
                if !lost.isEmpty { state.isListOld = true }
            }
            return true
        }
    }

    /// Nothing is, unless the folder still stands. If it does not, the next scan tells.
    private func stillGone(_ lost: [Place: Day]) throws(ArchiveError) -> [Place] {
        let marks = try remembering { catalog throws(CatalogError) in try catalog.albums() }
        guard let top = try? tree.favorites(.top), let mark = try? top.mark(), mark == marks[.top] ?? nil else {
            return []
        }
        var gone: [Place] = []
        for (album, places) in Dictionary(grouping: lost.keys, by: \.album) {
            guard let folder = try? tree.favorites(album) else {
                if isAway(album) { gone += places }
                continue
            }
            guard let mark = try? folder.mark(), mark == (marks[album] ?? nil) ?? mark else { continue }
            gone += places.filter { recognition.look(at: $0.name, in: folder, depth: album.depth) == .nothing }
        }
        return gone
    }

    private func isAway(_ album: Album) -> Bool {
        do throws(DiskError) {
            return try tree.favorites(album) == nil
        } catch {
            return error.isNoFolder
        }
    }

    private func putInOrder(_ work: Hints) throws(ArchiveError) -> Set<Place> {
        let order = try adoption.run(work, at: clock())
        state.withLock { $0.refused = work == .everywhere ? order.refused : $0.refused.union(order.refused) }
        for (place, meaning, identity) in order.recognised {
            try turn.withLock { _ throws(ArchiveError) in
                guard let folder = try? tree.favorites(place.album),
                    (try? folder.facts(of: place.name))?.identity == identity
                else { return }
                let memory = try memory(of: place)
                var seen = Observation()
                seen.take(.meaning(meaning), at: place, memory, isHinted: true)
                try remember(seen, unsettled: .none)
            }
        }
        return order.later
    }

    private func writeList() throws(ArchiveError) {
        guard state.withLock(\.isListOld) else { return }
        state.withLock { $0.isListOld = false }
        do throws(ArchiveError) {
            try list.write()
        } catch {
            state.withLock { $0.isListOld = true }
            throw error
        }
    }

    private func memory(of place: Place) throws(ArchiveError) -> Memory? {
        try remembering { catalog throws(CatalogError) in try catalog.memory(of: place) }
    }

    private func remembering<Value>(
        _ work: (Catalog) throws(CatalogError) -> Value
    ) throws(ArchiveError) -> Value {
        do throws(CatalogError) { return try work(catalog) } catch { throw .catalog(error) }
    }
}
