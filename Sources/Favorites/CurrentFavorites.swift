package import Apod
package import Catalog
internal import Concurrency
package import Files
import Glibc
import Synchronization
internal import Watching

/// The days that the favorites folder stands for at the moment of asking, whether somebody has noted them or not. The
/// folder is looked through again only when something in it may have changed.
package final class CurrentFavorites: Sendable {
    private struct Look {
        let snapshot: FavoritesSnapshot
        /// The folders, as they were before they were read.
        let folders: [Album: File.Facts]
        let begin: Int
    }

    private struct State {
        var look: Look?
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
            if let look = state.look, !state.isUncertain, !isOutdated(look) { return (look.snapshot.days, false) }
            let (look, isUncertain) = look()
            state.look = look
            state.isUncertain = isUncertain
            return (look.snapshot.days, isUncertain)
        }
    }

    /// Until nothing has changed behind its back.
    private func look() -> (Look, isUncertain: Bool) {
        var looks = 0
        while true {
            let (begin, folders) = (time(nil), folders())
            let look = Look(
                snapshot: FavoritesSnapshot(at: root, catalog, isStopped: { [stopped] in stopped.isSet }),
                folders: folders, begin: begin)
            looked()
            let hasChanged = self.folders() != folders
            looks += 1
            if !hasChanged || looks == Self.mostLooks || isStopped { return (look, hasChanged) }
        }
    }

    /// Whether something else may be there now.
    private func isOutdated(_ look: Look) -> Bool {
        // What happens in a folder at the time that it already shows cannot be seen from that.
        let isYoung = look.folders.values.contains { $0.changed >= look.begin - 2 }
        return isYoung || look.folders.isEmpty || folders() != look.folders
    }

    private func folders() -> [Album: File.Facts] {
        var folders: [Album: File.Facts] = [:]
        for case (let album, .success(let folder)) in AlbumWalk(in: root, isStopped: { [stopped] in stopped.isSet }) {
            folders[album] = try? folder.facts()
        }
        return folders
    }
}
