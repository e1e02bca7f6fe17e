internal import Archive
internal import Catalog
internal import Files

/// What one number of the library's stands for.
enum WatchSubject: Equatable {
    case root
    case album(Album)
}

/// What an event means for the favorites.
enum FolderEvent: Equatable {
    case none
    case place(Place)
    /// Other folders than those that are watched are there now, or events were lost: all is to be armed anew.
    case folders

    init(_ event: Inotify.Event, to subject: WatchSubject?) {
        guard let name = event.name, let subject else {
            self = .folders
            return
        }
        switch subject {
        case .root: self = name == .favorites ? .folders : .none
        // The mirror's own.
        case _ where event.mask.contains(.folder) && name.text == Tree.sharedThumbnails: self = .none
        // What is hidden is not looked into, but counted.
        case _ where event.mask.contains(.folder) && !name.isHidden: self = .folders
        case .album(let album): self = .place(Place(name, in: album))
        }
    }
}
