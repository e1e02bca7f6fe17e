package import Apod

/// The state of a day, or of an item of another list, in the catalog.
package struct DayStatus: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable, Codable {
        case mirrored
        /// A worse copy is there than the upstream should have.
        case downgraded
        /// Its text is there; the upstream has no picture for it.
        case placeholder
        /// Its text is there; its files were deleted.
        case pruned
        /// The upstream has no such day.
        case absent
        case failed
    }

    package var key: Key
    package var state: State
    /// The moment until which the day is put off; seconds since 1970.
    package var retryAfter: Int?
    package var attempts: Int
    /// Why the day failed.
    package var failure: Problem?
    /// The day as it stands in the tree.
    package var stored: StoredDay?

    package init(
        key: Key, state: State, retryAfter: Int? = nil, attempts: Int = 0, failure: Problem? = nil,
        stored: StoredDay? = nil
    ) {
        self.key = key
        self.state = state
        self.retryAfter = retryAfter
        self.attempts = attempts
        self.failure = failure
        self.stored = stored
    }
}

extension DayStatus {
    /// Whether the day counts as failed only because a file was missing when the catalog was made anew. It is fetched as
    /// if it were new, and is not reported as failed.
    package var lacksFiles: Bool { state == .failed && (failure?.code ?? .missing) == .missing }

    /// The same as an SQL condition on the table `item`, as the index `unsettled` has it.
    static let lacksFiles = """
        (state <> 'mirrored' AND state = 'failed' AND ifnull(failure ->> 'code', 'missing') = 'missing')
        """

    /// Whether something of the day is still to come: it failed, lacks a file, or has a record that stands in.
    package var isOwing: Bool { state != .mirrored || stored.map { $0.lacks > 0 || $0.isStandIn } ?? false }

    /// The same as an SQL condition on a row of the table `item`, or on none (an outer join).
    static let isOwing = "(state IS NOT 'mirrored' OR lacks > 0 OR is_stand_in)"

    /// Whether something of it is in the tree, as an SQL condition.
    static let isStored = "json_bytes IS NOT NULL"

    /// Whether they differ at most in when the day is asked for again.
    func looks(like other: DayStatus) -> Bool {
        var other = other
        (other.attempts, other.retryAfter) = (attempts, retryAfter)
        return self == other
    }

    /// `stored`, but nil for a day whose files were deleted.
    package var whole: StoredDay? { state == .pruned ? nil : stored }
}
