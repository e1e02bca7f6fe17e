internal import Apod
internal import Catalog
internal import Upstream

/// Decides what becomes of a day without a record, from what is known of it. It does no I/O.
struct DayAbsence {
    let day: Day
    /// The newest day known to exist.
    let newest: Day?
    let now: Int

    enum Step: Equatable {
        /// The day can still be published.
        case notYet
        /// The day is to be asked for by its own address.
        case ask
        case fail(why: Failure)
    }

    /// Decides after an answer about several days lacked the day. `fallback`: why the feed stood in for the records.
    func step(fallback: UpstreamError?) -> Step {
        if RetryPolicy.isYoung(day, newest: newest, at: now) { return .notYet }
        guard let fallback, !fallback.isUnusable else { return .ask }
        let failure = fallback.failure
        let words = "it is not in the feed, and of the records: \(failure.words)"
        return .fail(why: Failure(failure.code, words, at: failure.address))
    }

    /// Whether a window of one day may bring what the day's own address did not.
    static func mayBeInWindow(after error: UpstreamError) -> Bool {
        if case .elsewhere = error { return false }
        return !error.isLocal && !error.asksForPause && !error.isUnreachable
    }

    /// A decision, with the status to record.
    enum Conclusion {
        case notYet
        /// The day is here, and stays.
        case keep(DayStatus?)
        case absent(DayStatus)
        case fail(why: Failure, isPassing: Bool, DayStatus?)
        /// Other days would fail in the same way.
        case stop(RefreshError)
    }

    /// Concludes after the upstream said that there is no such day.
    func conclusion(knowing status: DayStatus?) -> Conclusion {
        if !RetryPolicy.isOld(day, at: now), RetryPolicy.isYoung(day, newest: newest, at: now) { return .notYet }
        guard let status, status.stored != nil else { return .absent(.absent(day, after: status, at: now)) }
        return .keep(status.postponed(at: now))
    }

    /// Concludes after the day's own address failed, too.
    func conclusion(after error: UpstreamError, knowing status: DayStatus?) -> Conclusion {
        if let error = RefreshError(error) { return .stop(error) }
        if error.asksForPause || error.isUnreachable { return .stop(.upstreamSilent(error)) }
        if case .elsewhere = error, RetryPolicy.isYoung(day, newest: newest, at: now) { return .notYet }
        let why = error.failure
        guard status?.stored == nil else { return .fail(why: why, isPassing: error.isPassing, nil) }
        let failed = DayStatus.failed(day, after: status, why: why, isPassing: error.isPassing, at: now)
        return .fail(why: why, isPassing: error.isPassing, failed)
    }
}
