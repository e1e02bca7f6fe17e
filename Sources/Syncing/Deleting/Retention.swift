package import Apod
package import Configuration
import Favorites
import Files
import Store

/// Deletes the oldest pictures, as `keep`, lists' own and `max-total` say. Favorites, those that ended not long ago, the newest
/// picture and all JSON stay. `MirrorRange.pruning` makes the plan (`PruneRound`), which may wait for `prune`.
package struct Retention: Sendable {
    let archive: Archive
    let settings: Settings
    let now: @Sendable () -> Int

    /// Few days, so that a stop and other writers need not wait.
    static let batch = 25

    /// Deletes what is to go, and returns what was done when it ended or was cancelled. `isAsked`: a person asks, so
    /// nothing is held back. `only`: of one list alone.
    package func apply(isAsked: Bool = false, only list: ListName? = nil) async throws -> PruneRound {
        // The clock may be put right meanwhile: one moment decides.
        let now = now()
        let plan = try await blocking { [self] in
            let range = MirrorRange(
                settings: settings, catalog: archive.catalog, favorites: archive.favorites, now: now)
            let plan = try range.pruning(in: archive.tree.root)
            return Task.isCancelled ? PruneRound(total: plan.total) : plan
        }
        var done = PruneRound(total: plan.total, isOutOfReach: plan.isOutOfReach)
        if !isAsked { done.holds = plan.holds.filter { list == nil || $0.list == list } }
        let held = Set(done.holds.map(\.list))
        func goes(_ key: Key) -> Bool { !held.contains(key.list) && (list == nil || key.list == list) }
        let replaced = plan.replaced.filter { goes($0.key) }
        if !replaced.isEmpty {
            let outcome = try await archive.prune(replaced, unless: try await archive.present())
            done.replaced = outcome.gone
            done.refused = outcome.refused.map { ($0.key, $0.why) }
        }
        let pictures = plan.pictures.filter { goes($0.key) }
        for start in stride(from: 0, to: pictures.count, by: Self.batch) where !Task.isCancelled {
            let batch = pictures[start..<min(start + Self.batch, pictures.count)]
            let outcome = try await archive.prune(batch.map(\.key), at: now, unless: try await archive.present())
            done.pictures += batch.filter { outcome.gone.contains($0.key) }
            done.refused += outcome.refused.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
        if let last = done.days.last { try await remember(last) }
        if !Task.isCancelled {
            await blocking { [self, done] in
                for list in Set(done.pictures.map(\.name.list)) {
                    archive.noteRule(settings.rule(of: list), of: list)
                }
            }
        }
        return done
    }

    /// The newest deleted day is fetched again only when there is room for its bytes.
    private func remember(_ last: Candidate) async throws {
        try await blocking { [catalog = archive.catalog] in
            if try catalog.newestPruned() == last.key.day { try catalog.setFact(.released, last.bytes) }
        }
    }
}

extension Settings {
    /// Settings by which all pictures of a list go that these do not name, and nothing else.
    package func ending(_ name: ListName) throws(SyncOrder.Contradiction) -> Settings {
        if self[list: name] != nil {
            throw .init("the settings name the list \(name): delete its line first, or its pictures would come again")
        }
        var (settings, list) = (self, list(name))
        list.keep = 0
        (settings.keep, settings.maxTotal, settings.lists) = (nil, nil, [list])
        return settings
    }
}

extension Archive {
    /// What is in the favorites folder of the mirror, looked at before each batch: somebody may add favorites meanwhile.
    /// Cancelled, nothing else is deleted.
    func present() async throws -> Pruning.Wanting {
        let present = try await blocking { try favorites.now(in: tree.root, catalog) }
        return { present.isFavorite($0) || Task.isCancelled }
    }
}
