package import Apod
package import Archive
package import Files
import Synchronization

/// The days that the favorites folder stands for at the moment of asking, whether somebody has noted them or not. The
/// folder is looked through again only when something in it may have changed.
package final class CurrentFavorites: Sendable {
    private struct State {
        var glance: Glance?
        var end = ContinuousClock.now
        var length = Duration.zero
    }

    private let root: Folder
    private let catalog: Catalog
    private let state = Mutex(State())
    private let stopped = Flag()

    package init(at root: Folder, _ catalog: Catalog) {
        self.root = root
        self.catalog = catalog
    }

    /// What takes long ends soon. From then on, `days` may not be all.
    package func stop() { stopped.set() }

    package var isStopped: Bool { stopped.isSet }

    /// Where that is not known any more, any day may be one.
    package func mayContain(_ day: Day) -> Bool { days.contains(day) || isStopped }

    package var days: Set<Day> {
        state.withLock { state in
            if let glance = state.glance, !isDue(state, glance) { return glance.days }
            let begin = ContinuousClock.now
            let glance = Glance(at: root, catalog, isStopped: { [stopped] in stopped.isSet })
            state.glance = glance
            state.end = .now
            state.length = state.end - begin
            return glance.days
        }
    }

    /// While very many links are being made, looking takes no more than half of the time.
    private func isDue(_ state: State, _ glance: Glance) -> Bool {
        ContinuousClock.now - state.end > state.length && glance.isOutdated(at: root)
    }
}
