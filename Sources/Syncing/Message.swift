package import Apod
package import Thumbnails

/// A message about a job to the command that asked for it.
package enum Message: Sendable, Equatable, Codable {
    package enum Change: String, Sendable, Codable { case made, removed }

    /// A favorite's link was made or removed. `link`: its path below the favorites folder.
    case changed(Change, Subject, link: String?)
    case said(String)
    case warned(String)
    /// Something could not be done.
    case complained(String)
    /// Begins a refresh, or continues one that has not ended. `named`: days asked for by date.
    case refreshBegan(named: Set<Day>)
    case event(RefreshEvent)
    /// The bytes of files that have come since `refreshBegan`.
    case received(Int)
    /// Why an answer is late; nil once it has come or is given up.
    case delayed(Problem?)
    /// The failure is what ended the refresh early.
    case refreshEnded(Problem?)
    /// `count`: how many pictures get thumbnails.
    case thumbnailsBegan(count: Int)
    case thumbnail(Thumbnail)
}

package typealias MessageHandler = @Sendable (Message) -> Void
