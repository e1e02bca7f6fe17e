internal import Apod
internal import Archive
package import Favorites
internal import Watching

extension Notice {
    /// nil for what need not be told.
    package init?(_ event: FavoritesService.Event, in root: String) {
        let folder = Text.shown("\(root)/\(Tree.favorites)")
        switch event {
        case .watching(.inotify): self.init(.watching, "watching \(folder)")
        case .watching(.polling(let why)):
            self.init(.watching, "looking into \(folder) every few seconds: \(why)", grade: .warning)
        case .watching(.lost(let why)):
            self.init(
                .lost,
                """
                no favorites folder: \(why); the favorites stay, and the service waits for the folder. If it does not come \
                back, `apod-mirror favorites restore` makes it again with its links
                """)
        case .vanished(let links):
            let (what, rest, them, these) =
                links == 1
                ? ("1 link has", "its picture stays a favorite", "the link", "this favorite")
                : ("\(links) links have", "their pictures stay favorites", "the links", "these favorites")
            self.init(
                .vanished,
                """
                \(what) vanished from \(folder); \(rest). `apod-mirror favorites restore` makes \(them) again, \
                `apod-mirror favorites forget` drops \(these)
                """)
        case .failed(let error): self.init(.trouble, "\(error); tried again soon")
        case .recovered: self.init(.watching, "\(folder) is kept up with again")
        case .known, .settled: return nil
        }
    }
}
