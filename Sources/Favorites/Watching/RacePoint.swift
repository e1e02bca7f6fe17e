package import Archive
internal import Catalog

/// A point between looking and acting, at which somebody else may change what was looked at.
package enum RacePoint: Sendable, Equatable {
    /// The folders are about to be watched.
    case arming
    /// A folder is watched, and about to be read.
    case watched(Album)
    /// An event was handled; more may follow.
    case told
    /// All was looked at, and nothing of it is in the history yet.
    case seen
    /// The content of this folder is on the disk, and not in the history yet.
    case synced(path: String)
    /// A file was compared with the pictures, and nothing was done yet.
    case compared(Place)
    /// A link is about to take the place of what is there.
    case replacing(Place)
    /// A link has got this name.
    case renamed(Place)
}

/// Called at a race point. Only tests do something there.
package typealias RaceHook = @Sendable (RacePoint) -> Void
