import Apod
import Store
import Upstream

/// Decides what becomes of a day without a record, from what is known of it. It does no I/O.
struct DayAbsence {
    let day: Day
    /// The newest day known to exist.
    let newest: Day?
    let now: Int

    enum Advice: Equatable {
        /// The day can still be published.
        case notYet
        /// The day is to be asked for by its own address.
        case ask
        case fail(why: Problem)
    }

    /// Decides after an answer about several days lacked the day. `fallback`: why the list of articles stood in for the records.
    func advice(fallback: Problem?) -> Advice {
        if RetryPolicy.isYoung(day, newest: newest, at: now) { return .notYet }
        guard let fallback, !fallback.isUnusable else { return .ask }
        return .fail(why: fallback)
    }

    /// Whether a window of one day may bring what the day's own address did not.
    static func mayBeInWindow(after error: Problem) -> Bool {
        error.code != .elsewhere && error.isOfService
    }

    /// Concludes after the upstream said that there is no such day. A day that is here stays.
    func conclusion(knowing item: Item?) -> Outcome {
        if RetryPolicy.isYoung(day, newest: newest, at: now) {
            return Outcome(event: .notYet(.day(day)))
        }
        guard let item, item.stored != nil else {
            return Outcome(event: .absent(day), item: .wanting(.day(day), .absent, after: item, at: now))
        }
        let event = Event.kept(day, why: "NASA has no picture for it any more")
        return Outcome(event: event, item: item.postponed(at: now))
    }

    /// Concludes after the day's own address failed, too. Throws if other days would fail in the same way.
    func conclusion(after error: Problem, knowing item: Item?) throws -> Outcome {
        if !error.isOfNetwork || error.asksForPause || error.isUnreachable { throw error }
        if error.code == .elsewhere, RetryPolicy.isYoung(day, newest: newest, at: now) {
            return Outcome(event: .notYet(.day(day)))
        }
        let isPassing = error.isPassing
        var outcome = Outcome(event: .failed(.day(day), why: error, isPassing: isPassing))
        if item?.stored == nil {
            outcome.item = .failed(.day(day), after: item, why: error, isPassing: isPassing, at: now)
        }
        return outcome
    }
}
