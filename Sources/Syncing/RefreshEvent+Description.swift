internal import Apod
internal import Catalog

extension Refresh.Event: CustomStringConvertible {
    package var description: String {
        switch self {
        case .planned(let days): return "\(Day.count(days)) to fetch"
        case .rediscovered(let days): return "found in the folder: \(Day.count(days))"
        case .mirrored(let day, let title, let state, let bytes):
            let note = state == .downgraded ? ", a worse copy for now" : state == .placeholder ? ", text only" : ""
            return "\(day) \(title) (\(Size.text(bytes))\(note))"
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
