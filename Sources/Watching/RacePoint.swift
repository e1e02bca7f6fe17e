package import Catalog

/// A point between looking and acting, at which somebody else may change what was looked at.
package enum RacePoint: Sendable, Equatable {
    /// The folders are about to be watched.
    case arming
    /// A folder is watched, and about to be read.
    case watched(Album)
    /// An event was told of, and perhaps not the last.
    case told
    /// All was looked at, and nothing of it is remembered.
    case seen
    /// What is in this folder has been brought to the disk, and not yet into the catalog.
    case synced(path: String)
    /// What is there is about to be compared with the pictures.
    case comparing(Place)
    /// What is there was found to be something that a link is to take the place of.
    case replacing(Place)
    /// A link has got this name.
    case renamed(Place)
}

/// What happens at such a point. In the program, nothing does.
package typealias RaceHook = @Sendable (RacePoint) -> Void
