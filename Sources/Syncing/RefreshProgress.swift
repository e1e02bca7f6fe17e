import Apod
import Upstream

/// How one day ended, as far as it matters to the others.
enum DayOutcome: Sendable {
    case done
    /// Does not show whether files can be fetched.
    case idle
    /// A retry may succeed. Many in a row mean that no file can be fetched.
    case unreachable(why: Problem)
    case stopped(Problem)
}

/// Counts what came and what failed, and decides when a refresh gives up.
struct RefreshProgress {
    private(set) var underway = 0
    private(set) var error: Problem?
    /// The newest day that the upstream is known to have.
    private(set) var newest: Day?
    /// The upstream has answered at least once.
    private(set) var hasHeard = false
    private var unanswered = 0
    /// Why the last unanswered question had no answer.
    private(set) var silence: Problem?
    private var unreachable = 0

    private static let mostUnanswered = 2
    /// Failures take long, so they end one after another even if most days succeed.
    private var mostUnreachable: Int { hasSucceeded ? 100 : 10 }
    /// At least one day has come.
    private(set) var hasSucceeded = false

    init(newest: Day?) { self.newest = newest }

    /// A day has failed since the last one that came.
    var hasFailedDays: Bool { unreachable > 0 }

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
            if unreachable >= mostUnreachable {
                stop(Problem(.files, why.code.rawValue, at: why.address, number: why.number))
            }
        // Counts as one unanswered question: it may last only a moment.
        case .stopped(let reason) where reason.isUnreachable: questionFailed(reason)
        case .stopped(let reason): stop(reason)
        }
    }

    /// Waits for what is under way, or ends it after an error.
    mutating func finish(_ group: inout TaskGroup<DayOutcome>) async {
        while underway > 0 {
            if error != nil { group.cancelAll() }
            if let outcome = await group.next() { ended(outcome) }
        }
    }

    mutating func heard(of days: some Sequence<Day>) {
        unanswered = 0
        hasHeard = true
        if let latest = days.max() { newest = max(newest ?? latest, latest) }
    }

    mutating func questionFailed(_ reason: Problem) {
        unanswered += 1
        silence = reason
        let isEnough = reason.asksForPause || reason.isUnreachable && !hasHeard || unanswered >= Self.mostUnanswered
        if !reason.isOfNetwork || isEnough { stop(reason) }
    }

    /// Fails a refresh in which no question was answered.
    mutating func end() {
        if let silence, !hasHeard { stop(silence) }
    }

    mutating func stop(_ reason: Problem) { error = error ?? reason }
}
