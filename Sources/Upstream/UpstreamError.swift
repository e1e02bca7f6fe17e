package import Apod
package import Fetching

/// Why a request to the upstream brought no usable answer.
package enum UpstreamError: Error, CustomStringConvertible {
    case fetch(FetchFailure)
    case garbage(WebAddress, String)
    case record(WebAddress, BadRecord)
    case otherDay(WebAddress, Day)
    /// The upstream is a mirror that does not have the day. It may come there.
    case elsewhere(WebAddress)

    /// Whether the cause is here: the task was cancelled.
    package var isLocal: Bool { if case .fetch(let failure) = self { failure.reason == .cancelled } else { false } }

    /// Whether the same request may succeed soon.
    package var isPassing: Bool {
        switch self {
        // A status can come from any gateway and says nothing about the day.
        case .fetch(let failure): if case .tooLarge = failure.reason { false } else { true }
        case .garbage, .elsewhere: true
        case .record(_, let record): record.isPassing
        case .otherDay: false
        }
    }

    package var asksForPause: Bool {
        if case .fetch(let failure) = self, case .status(429, _) = failure.reason { return true }
        return requestedPause != nil
    }

    package var isUnreachable: Bool {
        if case .fetch(let failure) = self, case .unreachable = failure.reason { true } else { false }
    }

    /// Whether another service of the same server may answer.
    package var isOfService: Bool { !isLocal && !asksForPause && !isUnreachable }

    package var address: WebAddress {
        switch self {
        case .fetch(let failure): failure.address
        case .garbage(let address, _), .record(let address, _), .otherDay(let address, _), .elsewhere(let address):
            address
        }
    }

    /// In seconds.
    package var requestedPause: Int? {
        guard case .fetch(let failure) = self, case .status(_, let seconds) = failure.reason else { return nil }
        return seconds
    }

    /// Whether the answer is unusable, so that a request for fewer days may do better.
    package var isUnusable: Bool {
        switch self {
        case .garbage, .record, .otherDay: return true
        case .elsewhere: return false
        case .fetch(let failure):
            if case .tooLarge = failure.reason { return true }
            return false
        }
    }

    package var description: String { failure.description }

    package var failure: Failure {
        switch self {
        case .fetch(let failure):
            // `max-file` is not about documents.
            if case .tooLarge(let limit) = failure.reason {
                Failure(.records, "more than \(Size.text(limit))", at: failure.address)
            } else {
                failure.failure
            }
        case .garbage(let address, let words): Failure(.records, words, at: address)
        case .record(let address, let record): Failure(.records, "\(record)", at: address)
        case .elsewhere(let address): Failure(.elsewhere, at: address)
        case .otherDay(let address, let day): Failure(.records, "\(day), a day that was not asked for", at: address)
        }
    }
}
