package import Apod
import Files

/// The outcome of one picture's thumbnails.
package struct Thumbnail: Sendable, Equatable, Codable {
    package enum Outcome: Sendable, Equatable, Codable {
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

    /// The outcome, as JSON names it.
    package var facts: (state: String, paths: [String], bytes: Int, why: String?) {
        switch outcome {
        case .made(let paths, let bytes): ("made", paths, bytes, nil)
        case .there(let paths): ("there", paths, 0, nil)
        case .refused(let why): ("refused", [], 0, why)
        case .failed(let why): ("failed", [], 0, why)
        }
    }

    package init(day: Day, interrupted why: String) {
        (self.day, shortage, isInterrupted) = (day, nil, true)
        outcome = .failed(why: "\(why); `apod-mirror thumbnails \(day)` tries again")
    }

    package init(day: Day, _ error: any Error) {
        (self.day, outcome, isInterrupted) = (day, .failed(why: "\(error)"), false)
        shortage = (error as? Problem).flatMap { $0.isFull ? $0 : nil }
    }
}
