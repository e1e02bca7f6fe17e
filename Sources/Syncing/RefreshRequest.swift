package import Apod

/// Which days are to be refreshed.
package enum RefreshRequest: Sendable {
    /// What is missing in a range, what failed up to its end, and a second look at the newest days. `failedSince`: of
    /// what failed, nothing before that day. `isAsked`: a person asks, and the pauses of days that are incomplete are over.
    case missing(ClosedRange<Day>, failedSince: Day = .first, isAsked: Bool = false)
    /// What is missing in a range, and nothing else.
    case gaps(ClosedRange<Day>)
    /// These days, whatever is known of them.
    case days(Set<Day>)
    /// These days, and anew those of their files that are missing or damaged.
    case again(Set<Day>)

    /// Those that are asked for whatever is known of them.
    var named: Set<Day> { if case .days(let days) = self { days } else { [] } }

    /// Whether all is asked for that is newer than the newest day that is here.
    func isForAllNew(since newest: Day?, until today: Day) -> Bool {
        guard case .missing(let range, _, _) = self else { return false }
        return range.upperBound >= today && newest.map { $0 >= range.lowerBound } ?? true
    }

    /// What is to be left alone for some time is left alone.
    var keepsToPauses: Bool {
        switch self {
        case .missing, .gaps: true
        case .days, .again: false
        }
    }

    func why(isDue: Bool) -> DayPlan.Why {
        switch self {
        case .missing, .gaps: isDue ? .due : .recheck
        case .days: .asked
        case .again: .repair
        }
    }
}
