internal import Apod
internal import Archive
internal import Catalog
package import Favorites
internal import Watching

extension Notice {
    /// nil for events that are not told.
    package init?(_ event: FavoritesService.Event, in root: String) {
        let folder = Text.shown("\(root)/\(Tree.favorites)")
        switch event {
        case .watching(.inotify): self.init(.watching, "watching \(folder)")
        case .watching(.polling(let why, let limit)):
            self.init(
                .watching, "looking into \(folder) every few seconds: \(why)", grade: .warning,
                of: limit.map { Failure(.limit, why, path: $0) })
        case .watching(.lost(let why)):
            self.init(
                .lost,
                """
                no favorites folder: \(why); the favorites stay, and the service waits for the folder. If it does not come \
                back, `apod-mirror favorites restore` makes it again with its links
                """)
        case .lost(let loss):
            let restore = "`apod-mirror favorites restore --since \(Time.text(loss.since))`"
            self.init(.ended, "\(loss.links) links went from \(folder); \(restore) brings them back")
        case .failed(let error): self.init(.trouble, "\(error); tried again soon")
        case .recovered: self.init(.watching, "\(folder) is kept up with again")
        case .known, .settled, .unwatched: return nil
        }
    }
}
