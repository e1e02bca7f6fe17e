package import Apod
import Files

/// The outcome of one picture's thumbnails.
package struct Thumbnail: Sendable, Equatable, Codable {
    package enum Ending: Sendable, Equatable, Codable {
        /// Paths below the root.
        case made([String], bytes: Int)
        /// All thumbnails existed already.
        case there([String])
        /// None can be made of this picture, which is tried again only when its day is named.
        case refused(why: String)
        /// The next attempt may succeed.
        case failed(why: String)
    }

    package let key: Key
    package let outcome: Ending
    /// Set if the disk is full, so that no other thumbnail can be made, either.
    package let shortage: Problem?
    /// What ended the worker says nothing of the picture (`Worker.End.isInterruption`), so the next attempt should be later.
    package let isInterrupted: Bool

    package init(key: Key, outcome: Ending, isInterrupted: Bool = false) {
        (self.key, self.outcome, shortage, self.isInterrupted) = (key, outcome, nil, isInterrupted)
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

    package init(key: Key, interrupted why: String) {
        (self.key, shortage, isInterrupted) = (key, nil, true)
        outcome = .failed(why: "\(why); `apod-mirror thumbnails \(key)` tries again")
    }

    package init(key: Key, _ error: any Error) {
        (self.key, outcome, isInterrupted) = (key, .failed(why: "\(error)"), false)
        shortage = (error as? Problem).flatMap { $0.isFull ? $0 : nil }
    }
}
