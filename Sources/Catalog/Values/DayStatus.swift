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
    /// Why a day is to be asked for again that has not failed: the program ended while it changed the day.
    package enum Interruption: String, CaseIterable {
        case replaced = "interrupted while it was replaced"
        case deleted = "interrupted while it was deleted"
    }

    /// No reason: a file was missing when the catalog was made again.
    package var isCutOff: Bool {
        state == .failed && (reason.map { Interruption(rawValue: $0) != nil } ?? true)
    }

    /// The same of a row of the table `day`.
    static let isCutOff: String = {
        let reasons = Interruption.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return "(state = 'failed' AND (reason IS NULL OR reason IN (\(reasons))))"
    }()

    /// What stands in the tree, unless that is only what is left of a day whose files were deleted.
    package var whole: StoredDay? { state == .pruned ? nil : stored }
}
