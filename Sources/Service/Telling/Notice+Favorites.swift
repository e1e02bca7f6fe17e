import Apod
package import Favorites
import Store

extension Notice {
    /// nil for events that are not told.
    package init?(_ event: FavoritesService.Event, in root: String) {
        let folder = Text.shown(Tree.favoritesPath(in: root))
        switch event {
        case .watching(.inotify): self.init(.watching, "watching \(folder)")
        case .watching(.polling(let why)):
            self.init(
                .watching, "looking into \(folder) from time to time: \(why.words)", grade: .warning, of: why)
        case .watching(.lost(let failure)):
            self.init(.lost, "no favorites folder: \(failure.words)", of: failure)
        case .lost(let loss):
            let restore = "`apod-mirror favorites restore --since \(loss.since)`"
            self.init(.ended, "\(loss.count) links went from \(folder); \(restore) brings them back")
        case .failed(let error): self.init(.trouble, "\(error); tried again soon")
        case .recovered: self.init(.watching, "\(folder) is kept up with again")
        case .known, .settled: return nil
        }
    }
}
