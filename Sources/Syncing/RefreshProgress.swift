internal import Apod
internal import Upstream

/// How one day ended, as far as it matters to the others.
enum DayOutcome: Sendable {
    case done
    /// Says nothing of whether pictures can be had.
    case idle
    /// It may work soon; many of these in a row mean that nothing works.
    case unreachable(why: Failure)
    case stopped(RefreshError)
}

/// How a refresh is getting on.
struct RefreshProgress {
    private(set) var underway = 0
    private(set) var error: RefreshError?
    /// The newest day that the upstream is known to have.
    private(set) var newest: Day?
    /// The upstream has answered at least once.
    private(set) var hasHeard = false
    private var unanswered = 0
    /// Why a question was not answered.
    private(set) var silence: UpstreamError?
    private var unreachable = 0

    private static let mostUnanswered = 2
    /// What fails takes long, and so comes in a row even where most succeeds.
    private var mostUnreachable: Int { hasSucceeded ? 100 : 10 }
    /// A day has come.
    private(set) var hasSucceeded = false

    init(newest: Day?) { self.newest = newest }

    /// The last days could not be had, and none since.
    var lacksFiles: Bool { unreachable > 0 }

    mutating func began() { underway += 1 }

    mutating func ended(_ outcome: DayOutcome) {
        underway -= 1
        switch outcome {
        case .idle: break
        case .done:
            hasSucceeded = true
            unreachable = 0
        case .unreachable(let why):
            unreachable += 1
            if unreachable >= mostUnreachable { stop(.filesSilent(why)) }
        // Perhaps only for a moment.
        case .stopped(.upstreamSilent(let reason)) where reason.isUnreachable: heardNothing(reason)
        case .stopped(let reason): stop(reason)
        }
    }

    mutating func heard(of days: some Sequence<Day>) {
        unanswered = 0
        hasHeard = true
        if let latest = days.max() { newest = max(newest ?? latest, latest) }
    }

    mutating func heardNothing(_ reason: UpstreamError) {
        unanswered += 1
        silence = reason
        if let error = RefreshError(reason) {
            stop(error)
        } else if reason.asksForPause || reason.isUnreachable && !hasHeard || unanswered >= Self.mostUnanswered {
            stop(.upstreamSilent(reason))
        }
    }

    /// Whoever asked in vain, and only that, has nothing.
    mutating func end() {
        if let silence, !hasHeard { stop(.upstreamSilent(silence)) }
    }

    mutating func stop(_ reason: RefreshError) { error = error ?? reason }
}
