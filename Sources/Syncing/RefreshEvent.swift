package import Apod
package import Catalog

/// What a refresh reports, mostly about a single day.
package enum RefreshEvent: Sendable, Equatable {
    /// `days`: how many to ask for.
    case planned(days: Int)
    /// Days that the tree has, and the catalog lacked.
    case rediscovered(days: Int)
    case mirrored(Day, title: String, state: DayStatus.State, bytes: Int)
    /// The former file is kept (`Versions`).
    case replaced(Day, isMuchSmaller: Bool)
    case unchanged(Day)
    /// The upstream has no record of the day any more.
    case kept(Day, why: String)
    case absent(Day)
    case notYet(Day)
    /// `isPassing`: a retry may succeed.
    case failed(Day, why: Failure, isPassing: Bool)
    /// A question about these days had no answer. `days`: how many of them are to fetch.
    case unanswered(ClosedRange<Day>, days: Int, why: Failure)
    case noted(String)
    /// Pictures of another list are to be fetched.
    case itemsPlanned(ListName, pictures: Int)
    /// A picture of another list has come, or texts of one.
    case item(ListName, title: String, bytes: Int)
    case itemReplaced(ListName, title: String, isMuchSmaller: Bool)
    case itemFailed(ListName, title: String, why: Failure)
    /// The list itself did not come to its end.
    case listFailed(ListName, why: Failure)
}

extension RefreshEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .planned(let days): return "\(Day.count(days)) to fetch"
        case .rediscovered(let days): return "found in the folder: \(Day.count(days))"
        case .mirrored(let day, let title, let state, let bytes):
            // Where the files are here already, nothing but the text has come.
            let size = bytes > 0 ? Size.text(bytes) : state == .placeholder ? nil : "only its text is new"
            let note = state == .downgraded ? "a worse copy for now" : state == .placeholder ? "text only" : nil
            return "\(day) \(Text.brief(title)) (\([size, note].compactMap(\.self).joined(separator: ", ")))"
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
        case .itemsPlanned(let list, let count):
            return "\(list): \(Picture.count(count)) to fetch"
        case .item(let list, let title, let bytes):
            return "\(list): \(Text.brief(title)) (\(bytes > 0 ? Size.text(bytes) : "only its text is new"))"
        case .itemReplaced(let list, let title, let isMuchSmaller):
            let note = isMuchSmaller ? ", a much smaller one" : ""
            return "\(list): \(Text.brief(title)) has another picture\(note); the former one is kept"
        case .itemFailed(let list, let title, let why): return "\(list): \(Text.brief(title)) failed: \(why)"
        case .listFailed(let list, let why): return "\(list): \(why)"
        }
    }
}
