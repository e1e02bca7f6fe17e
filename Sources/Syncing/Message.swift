package import Apod
package import Thumbnails

/// What is told to whoever asked for a job, while it is done.
package enum Message: Sendable, Equatable {
    package enum Change: String, Sendable { case made, removed }

    /// Of a favorite: a link, below the favorites folder.
    case changed(Change, Day, link: String?)
    case said(String)
    /// The same of what was deleted.
    case deleted(String)
    case warned(String)
    /// It could not be done.
    case complained(String)
    /// What follows a refresh without an end between them belongs to it. `named`: days that were asked for by their dates.
    case refreshBegan(named: Set<Day>)
    case event(RefreshEvent)
    /// So many bytes of files have come in this refresh.
    case received(Int)
    /// Why the answer to a question is long in coming; nil once it has come, or is not asked for again.
    case delayed(Failure?)
    /// With what kept it from its end.
    case refreshEnded(Failure?)
    /// Those of so many pictures are to be made.
    case thumbnailsBegan(count: Int)
    case thumbnail(Thumbnail)
}

/// Whoever asked.
package typealias MessageHandler = @Sendable (Message) -> Void
