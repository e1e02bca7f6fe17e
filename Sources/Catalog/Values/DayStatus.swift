package import Apod

/// What the catalog remembers of a day.
package struct DayStatus: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        case mirrored
        /// There, but a worse copy than there should be.
        case downgraded
        /// Its text is there; the upstream has no picture for it.
        case placeholder
        /// Its text is there; its files were deleted.
        case pruned
        /// The upstream has no such day.
        case absent
        case failed
    }

    package var day: Day
    package var state: State
    /// Not asked for again before then; seconds since 1970.
    package var retryAfter: Int?
    package var attempts: Int
    /// Why it failed.
    package var failure: Failure?
    /// What stands in the tree.
    package var stored: StoredDay?

    package init(
        day: Day, state: State, retryAfter: Int? = nil, attempts: Int = 0, failure: Failure? = nil,
        stored: StoredDay? = nil
    ) {
        self.day = day
        self.state = state
        self.retryAfter = retryAfter
        self.attempts = attempts
        self.failure = failure
        self.stored = stored
    }
}

extension DayStatus {
    /// It is asked for again though it has not failed: the program ended while it changed the day, or a file was gone when
    /// the catalog was made anew.
    package var isCutOff: Bool { state == .failed && failure?.isInterruption != false }

    /// The same of a row of the table `day`.
    static let isCutOff: String = {
        let codes = Failure.interruptions.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        return "(state = 'failed' AND ifnull(failure, 'missing') IN (\(codes)))"
    }()

    /// What stands in the tree, unless that is only what is left of a day whose files were deleted.
    package var whole: StoredDay? { state == .pruned ? nil : stored }
}
