package import Apod

/// What came of one day's picture.
package struct Thumbnail: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// Their paths below the root.
        case made([String], bytes: Int)
        /// They were there already.
        case kept([String])
        /// None can be made of this picture, which is not tried again.
        case refused(why: String)
        /// Not this time.
        case failed(why: String)

        /// Whatever did that, another time it may be over.
        package static let decoderKilled = Outcome.failed(
            why: "\(Worker.End.killed.words(WorkerLimits())); `apod-mirror thumbnails DATE` tries again")
    }

    package let day: Day
    package let outcome: Outcome

    package init(day: Day, outcome: Outcome) {
        self.day = day
        self.outcome = outcome
    }
}
