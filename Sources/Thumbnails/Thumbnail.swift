package import Apod
package import Files

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
    /// The disk is full, which is no matter of this picture: nothing else can be made either.
    package let shortage: StorageError?

    package init(day: Day, outcome: Outcome) {
        (self.day, self.outcome, shortage) = (day, outcome, nil)
    }

    init(day: Day, _ error: any Error) {
        (self.day, outcome) = (day, .failed(why: "\(error)"))
        shortage = (error as? StorageError).flatMap { $0.isFull ? $0 : nil }
    }
}
