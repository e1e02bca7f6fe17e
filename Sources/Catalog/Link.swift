package import Apod

/// A link in the favorites folder, or one that was there.
package struct Link: Hashable, Sendable {
    package let place: Place
    package let day: Day
    /// Of the day, that it leads to; nil where it only names the day.
    package let file: String?

    package init(_ place: Place, to day: Day, file: String? = nil) {
        self.place = place
        self.day = day
        self.file = file
    }
}
