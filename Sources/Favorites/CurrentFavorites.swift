package import Apod
package import Archive
package import Catalog
internal import Concurrency
package import Files
import Glibc
import Synchronization

/// The days with links or copies in the favorites folder at this moment, whether the history has them yet or not.
/// The folder is scanned again only when something in it may have changed.
package final class CurrentFavorites: Sendable {
    private struct Look {
        let snapshot: FavoritesSnapshot
        /// The favorites folder and its albums, as they were before the scan.
        let folders: [Album: File.Facts]
        let begin: Int
    }

    private struct State {
        var look: Look?
        /// The folder changed during the last scan, so `look` may lack days.
        var isUncertain = false
    }

    private static let mostLooks = 3

    private let root: Folder
    private let favorites: FavoritesLog
    private let catalog: Catalog
    private let state = Mutex(State())
    private let looked: @Sendable () -> Void

    /// `looked` is called after each scan, for tests.
    package init(
        at root: Folder, _ favorites: FavoritesLog, _ catalog: Catalog, looked: @escaping @Sendable () -> Void = {}
    ) {
        (self.root, self.favorites) = (root, favorites)
        self.catalog = catalog
        self.looked = looked
    }

    /// Returns true for every day when the task was cancelled, which cuts scans short, or the folder kept changing.
    package func mayContain(_ day: Day) -> Bool {
        let (days, isUncertain) = current()
        return days.contains(day) || isUncertain || Task.isCancelled
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

    /// Scans until nothing changed during the scan, at most `mostLooks` times.
    private func look() -> (Look, isUncertain: Bool) {
        var looks = 0
        while true {
            let (begin, folders) = (time(nil), folders())
            let look = Look(
                snapshot: FavoritesSnapshot(at: root, favorites, catalog), folders: folders, begin: begin)
            looked()
            let hasChanged = self.folders() != folders
            looks += 1
            if !hasChanged || looks == Self.mostLooks || Task.isCancelled { return (look, hasChanged) }
        }
    }

    private func isOutdated(_ look: Look) -> Bool {
        // Times are in whole seconds: a later change in the same second does not show.
        let isYoung = look.folders.values.contains { $0.changed >= look.begin - 2 }
        return isYoung || look.folders.isEmpty || folders() != look.folders
    }

    private func folders() -> [Album: File.Facts] {
        var folders: [Album: File.Facts] = [:]
        Album.walk(in: root) { album, folder in
            guard let folder = try? folder.get() else { return [] }
            folders[album] = try? folder.facts()
            return (try? folder.albums()) ?? []
        }
        return folders
    }
}
