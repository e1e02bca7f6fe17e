package import Apod
package import Catalog

/// A favorite whose picture is not here.
package struct PendingFavorite: Sendable {
    package let day: Day
    /// Why the picture is not here; nil if it is simply still to be fetched.
    package let why: String?

    package init(_ day: Day, _ state: DayStatus.State?, _ failure: Failure?, today: Day) {
        self.day = day
        why =
            switch state {
            case .absent: "NASA has no picture for this day"
            case .placeholder: "NASA has only the text of this day"
            case .failed where failure?.isInterruption != false: nil
            case .failed: failure.map { "could not be fetched: \($0.narrow)" }
            case .mirrored, .downgraded, .pruned, nil: day > today ? "not published yet" : nil
            }
    }

    package var words: String { why ?? "still to be fetched" }
}
