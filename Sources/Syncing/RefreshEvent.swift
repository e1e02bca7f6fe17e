package import Apod
package import Catalog

/// What becomes known while days are refreshed.
package enum RefreshEvent: Sendable, Equatable {
    /// So many days are to be asked for. `again`: those of them that are here, and were named.
    case planned(days: Int, again: Int = 0)
    /// The tree had these already, though the catalog did not know.
    case rediscovered(days: Int)
    case mirrored(Day, title: String, state: DayStatus.State, bytes: Int)
    /// What was here before is kept elsewhere.
    case replaced(Day, isMuchSmaller: Bool)
    case unchanged(Day)
    /// What came is worse than what is there.
    case kept(Day, why: String)
    case absent(Day)
    case notYet(Day)
    /// `isPassing`: it may work soon.
    case failed(Day, why: Failure, isPassing: Bool)
    /// Several days of which nothing could be learned.
    case unanswered(ClosedRange<Day>, days: Int, why: Failure)
    /// Something to know that costs no day.
    case noted(String)
}

extension RefreshEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .planned(let days, let again) where again == days && days > 0:
            return "\(Day.count(days)) to look at again"
        case .planned(let days, let again):
            return "\(Day.count(days - again)) to fetch" + (again > 0 ? ", \(again) to look at again" : "")
        case .rediscovered(let days): return "found in the folder: \(Day.count(days))"
        case .mirrored(let day, let title, let state, let bytes):
            // Where the files are here already, nothing but the text has come.
            let size = bytes > 0 ? Size.text(bytes) : state == .placeholder ? nil : "only its text is new"
            let note = state == .downgraded ? "a worse copy for now" : state == .placeholder ? "text only" : nil
            return "\(day) \(title) (\([size, note].compactMap(\.self).joined(separator: ", ")))"
        case .replaced(let day, let isMuchSmaller):
            return """
                \(day) has another picture or video\(isMuchSmaller ? ", a much smaller one" : ""); \
                `apod-mirror revert \(day)` brings the former one back
                """
        case .unchanged(let day): return "\(day) is as it was"
        case .kept(let day, let why): return "\(day) stays as it is: \(why)"
        case .absent(let day): return "NASA has no picture for \(day)"
        case .notYet(let day): return "\(day) is not published yet"
        case .failed(let day, let why, _): return "\(day) failed: \(why)"
        case .unanswered(let days, let count, let why):
            let what = count == 0 ? "a second look at the days" : Day.count(count)
            return "\(what) from \(days.lowerBound) to \(days.upperBound) failed: \(why)"
        case .noted(let words): return words
        }
    }
}
