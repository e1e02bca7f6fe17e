internal import Apod
internal import Catalog
internal import Upstream

/// What becomes of a day whose record is not here, from what is known of it. It asks nobody and writes nothing.
struct DayAbsence {
    let day: Day
    /// Nothing newer is known to exist.
    let newest: Day?
    let now: Int

    enum Step: Equatable {
        /// It can still be published.
        case notYet
        /// It has an address of its own.
        case ask
        case fail(why: Failure)
    }

    /// The answer about several days is without it. `fallback`: why the feed stood in for the records.
    func step(fallback: UpstreamError?) -> Step {
        if RetryPolicy.isYoung(day, newest: newest, at: now) { return .notYet }
        guard let fallback, !fallback.isNonsense else { return .ask }
        let failure = fallback.failure
        let words = "it is not in the feed, and of the records: \(failure.words)"
        return .fail(why: Failure(failure.code, words, at: failure.address))
    }

    /// Whether a window of this day alone may tell what its own address did not.
    static func mayBeInWindow(after error: UpstreamError) -> Bool {
        !error.isLocal && !error.asksForPause && !error.isUnreachable
    }

    /// With what is to be noted of it.
    enum Conclusion {
        case notYet
        /// It is here, and stays.
        case keep(DayStatus?)
        case absent(DayStatus)
        case fail(why: Failure, isPassing: Bool, DayStatus?)
        /// It would be the same with any other day.
        case stop(RefreshError)
    }

    /// The service itself has said that there is no such day.
    func conclusion(knowing status: DayStatus?) -> Conclusion {
        if !RetryPolicy.isOld(day, at: now), RetryPolicy.isYoung(day, newest: newest, at: now) { return .notYet }
        guard let status, status.stored != nil else { return .absent(.absent(day, after: status, at: now)) }
        return .keep(status.stillWanting(at: now))
    }

    /// Its own address has brought no record either.
    func conclusion(after error: UpstreamError, knowing status: DayStatus?) -> Conclusion {
        if let error = RefreshError(error) { return .stop(error) }
        if error.asksForPause || error.isUnreachable { return .stop(.upstreamSilent(error)) }
        let why = error.failure
        guard status?.stored == nil else { return .fail(why: why, isPassing: error.isPassing, nil) }
        let failed = DayStatus.failed(day, after: status, why: why, isPassing: error.isPassing, at: now)
        return .fail(why: why, isPassing: error.isPassing, failed)
    }
}
