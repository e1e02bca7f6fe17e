package import Apod
import Configuration
import Files
import Store

/// Which days are to be refreshed.
package enum RefreshRequest: Sendable {
    /// The missing days of a range, failed days from `failedSince` to its end, and a second look at the newest days.
    case missing(ClosedRange<Day>, failedSince: Day = .first, asked: Asked = .no)
    /// The missing days of a range, and nothing else.
    case gaps(ClosedRange<Day>)
    /// These days, which a person names, even if they are here or failed a moment ago.
    case days(Set<Day>)
    /// These favorites, which are not here.
    case favorites(Set<Day>)
    /// These days, to fetch their missing and damaged files again.
    case again(Set<Day>)

    /// Whether a person asks, and which days therefore do not wait for their pauses to end.
    package enum Asked: Sendable {
        case no
        /// Incomplete days do not wait.
        case generally
        /// No day of the range waits: NASA answers, and not what it said before.
        case byRange
    }

    /// Whether the request covers all days after `newest`, the newest day here.
    func isForAllNew(since newest: Day?, until today: Day) -> Bool {
        guard case .missing(let range, _, _) = self else { return false }
        return range.upperBound >= today && newest.map { $0 >= range.lowerBound } ?? true
    }

    /// Whether pauses of days and `max-total` limit the request.
    var isLimited: Bool {
        switch self {
        case .missing, .gaps: true
        case .days, .favorites, .again: false
        }
    }

    func why(isDue: Bool) -> Plan.Why {
        switch self {
        case .missing, .gaps: isDue ? .new : .recheck
        case .days: .asked
        case .favorites: .wanted
        case .again: .repair
        }
    }
}

/// The days that a refresh is to ask for, as far as the catalog knows.
struct DueDays {
    let days: Set<Day>
    /// The newest days here, to be looked at again, and the days after them.
    let head: ClosedRange<Day>?

    init(_ request: RefreshRequest, _ catalog: Catalog, _ settings: Settings, at now: Int) throws {
        switch request {
        case .days(let days), .favorites(let days), .again(let days): (self.days, head) = (days, nil)
        case .gaps(let range): (days, head) = (try catalog.gaps(in: range, at: now), nil)
        case .missing(let range, let failedSince, let asked):
            let due = try catalog.due(in: range, failedSince: failedSince, isAsked: asked != .no, at: now)
            days = asked == .byRange ? due.union(try catalog.gaps(in: range)) : due
            head = try catalog.newest().map { newest in
                let first = min(newest, range.upperBound).advanced(by: -settings.recheckDays)
                return max(range.lowerBound, first)...range.upperBound
            }
        }
    }
}
