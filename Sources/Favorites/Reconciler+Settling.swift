internal import Apod
package import Archive
internal import Files
import Synchronization

extension Reconciler {
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
}
