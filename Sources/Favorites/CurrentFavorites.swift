package import Apod
package import Catalog
internal import Concurrency
package import Files
import Synchronization

/// The days that the favorites folder stands for at the moment of asking, whether somebody has noted them or not. The
/// folder is looked through again only when something in it may have changed.
package final class CurrentFavorites: Sendable {
    private struct State {
        var snapshot: FavoritesSnapshot?
        /// The folder kept changing while it was looked at: what it stands for cannot be told.
        var isUncertain = false
    }

    /// Who makes links without a pause is not waited for.
    private static let mostLooks = 3

    private let root: Folder
    private let catalog: Catalog
    private let state = Mutex(State())
    private let stopped = StopFlag()
    private let looked: @Sendable () -> Void

    /// `looked` is called when a look has ended.
    package init(at root: Folder, _ catalog: Catalog, looked: @escaping @Sendable () -> Void = {}) {
        self.root = root
        self.catalog = catalog
        self.looked = looked
    }

    /// What takes long ends soon. From then on, `days` may not be all.
    package func stop() { stopped.set() }

    package var isStopped: Bool { stopped.isSet }

    /// Where that is not known, any day may be one.
    package func mayContain(_ day: Day) -> Bool {
        let (days, isUncertain) = current()
        return days.contains(day) || isUncertain || isStopped
    }

    package var days: Set<Day> { current().days }

    private func current() -> (days: Set<Day>, isUncertain: Bool) {
        state.withLock { state in
            if let snapshot = state.snapshot, !state.isUncertain, !snapshot.isOutdated(at: root) {
                return (snapshot.days, false)
            }
            let (snapshot, isUncertain) = look()
            state.snapshot = snapshot
            state.isUncertain = isUncertain
            return (snapshot.days, isUncertain)
        }
    }

    /// Until nothing has changed behind its back.
    private func look() -> (FavoritesSnapshot, isUncertain: Bool) {
        var looks = 0
        while true {
            let snapshot = FavoritesSnapshot(at: root, catalog, isStopped: { [stopped] in stopped.isSet })
            looked()
            let hasChanged = snapshot.hasChanged(at: root)
            looks += 1
            if !hasChanged || looks == Self.mostLooks || isStopped { return (snapshot, hasChanged) }
        }
    }
}
