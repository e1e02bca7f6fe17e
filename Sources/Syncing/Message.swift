package import Apod

/// What is told to whoever asked for something.
package enum Message: Sendable, Equatable {
    package enum Change: String, Sendable { case made, removed, forgotten }

    /// Of a favorite: a link, below the favorites folder, or all that have vanished.
    case changed(Change, Day, link: String?)
    case said(String)
    case warned(String)
    /// It could not be done.
    case complained(String)
}
