package import Apod
internal import Files

/// The outcome of one picture's thumbnails.
package struct Thumbnail: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// Paths below the root.
        case made([String], bytes: Int)
        /// All thumbnails existed already.
        case there([String])
        /// None can be made of this picture, which is tried again only when its day is named.
        case refused(why: String)
        /// The next attempt may succeed.
        case failed(why: String)
    }

    package let day: Day
    package let outcome: Outcome
    /// Set if the disk is full, so that no other thumbnail can be made, either.
    package let shortage: Problem?
    /// What ended the worker says nothing of the picture (`Worker.End.isInterruption`), so the next attempt should be later.
    package let isInterrupted: Bool

    package init(day: Day, outcome: Outcome, isInterrupted: Bool = false) {
        (self.day, self.outcome, shortage, self.isInterrupted) = (day, outcome, nil, isInterrupted)
    }

    init(day: Day, interrupted why: String) {
        (self.day, shortage, isInterrupted) = (day, nil, true)
        outcome = .failed(why: "\(why); `apod-mirror thumbnails \(day)` tries again")
    }

    init(day: Day, _ error: any Error) {
        (self.day, outcome, isInterrupted) = (day, .failed(why: "\(error)"), false)
        shortage = (error as? Problem).flatMap { $0.isFull ? $0 : nil }
    }
}
