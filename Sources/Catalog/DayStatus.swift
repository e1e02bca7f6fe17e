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
    package var reason: String?
    /// What stands in the tree.
    package var stored: StoredDay?

    package init(
        day: Day, state: State, retryAfter: Int? = nil, attempts: Int = 0, reason: String? = nil,
        stored: StoredDay? = nil
    ) {
        self.day = day
        self.state = state
        self.retryAfter = retryAfter
        self.attempts = attempts
        self.reason = reason
        self.stored = stored
    }
}

extension DayStatus {
    /// What stands in the tree, unless that is only what is left of a day whose files were deleted.
    package var whole: StoredDay? { state == .pruned ? nil : stored }
}
