internal import Apod
internal import Archive
internal import Catalog
package import Favorites
internal import Files
import Glibc
internal import Watching

extension Failure {
    /// With the errno where the favorites folder is there and cannot be used.
    init(lostFavorites why: String, in root: String) {
        let path = Tree.favoritesPath(in: root)
        let isFolder = (try? Folder.open(root).kind(of: Tree.favorites)) == .folder
        let isClosed = isFolder && access(path, R_OK | W_OK | X_OK) != 0
        self.init(.folder, why, path: path, number: isClosed ? Int(errno) : nil)
    }
}

extension Notice {
    /// nil for events that are not told.
    package init?(_ event: FavoritesService.Event, in root: String) {
        let folder = Text.shown(Tree.favoritesPath(in: root))
        switch event {
        case .watching(.inotify): self.init(.watching, "watching \(folder)")
        case .watching(.polling(let why, let limit)):
            self.init(
                .watching, "looking into \(folder) from time to time: \(why)", grade: .warning,
                of: limit.map { Failure(.limit, why, path: $0) })
        case .watching(.lost(let why)):
            let failure = Failure(lostFavorites: why, in: root)
            let restoring = "`apod-mirror favorites restore` makes it again with its links"
            self.init(
                .lost,
                "no favorites folder: \(why); the favorites stay, and the service waits for the folder"
                    + (failure.number == nil ? ". If it does not come back, \(restoring)" : ""), of: failure)
        case .lost(let loss):
            let restore = "`apod-mirror favorites restore --since \(Time.text(loss.since))`"
            self.init(.ended, "\(loss.links) links went from \(folder); \(restore) brings them back")
        case .failed(let error): self.init(.trouble, "\(error); tried again soon")
        case .recovered: self.init(.watching, "\(folder) is kept up with again")
        case .known, .settled: return nil
        }
    }
}
