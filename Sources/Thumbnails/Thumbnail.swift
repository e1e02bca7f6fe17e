package import Apod
package import Files

/// The outcome of one day's thumbnails.
package struct Thumbnail: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// Paths below the root.
        case made([String], bytes: Int)
        /// All thumbnails existed already.
        case kept([String])
        /// None can be made of this picture, which is tried again only when its day is named.
        case refused(why: String)
        /// The next attempt may succeed.
        case failed(why: String)

        /// The worker was killed twice from outside.
        package static let decoderKilled = Outcome.failed(
            why: "\(Worker.End.killed.words(WorkerLimits())); `apod-mirror thumbnails DATE` tries again")
    }

    package let day: Day
    package let outcome: Outcome
    /// Set if the disk is full, so that no other thumbnail can be made, either.
    package let shortage: StorageError?

    package init(day: Day, outcome: Outcome) {
        (self.day, self.outcome, shortage) = (day, outcome, nil)
    }

    init(day: Day, _ error: any Error) {
        (self.day, outcome) = (day, .failed(why: "\(error)"))
        shortage = (error as? StorageError).flatMap { $0.isFull ? $0 : nil }
    }
}
