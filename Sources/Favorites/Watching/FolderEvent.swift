internal import Archive
internal import Catalog
internal import Files

/// The folder that a watch is for.
enum WatchedFolder: Equatable {
    case root
    case album(Album)
}

/// What an event means for the favorites.
enum FolderEvent: Equatable {
    case none
    case place(Place)
    /// Folders came, went or changed, or events were lost: everything has to be armed anew.
    case folders

    init(_ event: Inotify.Event, to subject: WatchedFolder?) {
        guard let name = event.name, let subject else {
            self = .folders
            return
        }
        switch subject {
        case .root: self = name == .favorites ? .folders : .none
        // This folder comes along when a month is copied here.
        case _ where event.mask.contains(.folder) && name.text == Tree.sharedThumbnails: self = .none
        // A hidden folder is not watched: it counts as a place.
        case _ where event.mask.contains(.folder) && !name.isHidden: self = .folders
        case .album(let album): self = .place(Place(name, in: album))
        }
    }
}
