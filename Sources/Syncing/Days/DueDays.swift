internal import Apod
internal import Catalog
internal import Configuration
internal import Files

/// The days that a refresh is to ask for, as far as the catalog knows.
struct DueDays {
    let days: Set<Day>
    /// The newest days here, to be looked at again, and the days after them.
    let head: ClosedRange<Day>?

    init(_ request: RefreshRequest, _ catalog: Catalog, _ settings: Settings, at now: Int) throws(StorageError) {
        switch request {
        case .days(let days), .again(let days): (self.days, head) = (days, nil)
        case .gaps(let range): (days, head) = (try catalog.gaps(in: range, at: now), nil)
        case .missing(let range, let failedSince, let isAsked):
            days = try catalog.due(in: range, failedSince: failedSince, isAsked: isAsked, at: now)
            head = try catalog.newest().map { newest in
                let first = min(newest, range.upperBound).advanced(by: -settings.recheckDays)
                return max(range.lowerBound, first)...range.upperBound
            }
        }
    }
}
