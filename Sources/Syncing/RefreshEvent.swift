package import Apod
package import Store

/// What a refresh reports, mostly about a single day, or about an item of another list.
package enum RefreshEvent: Sendable, Equatable, Codable {
    /// How many days to ask for, or how many pictures of another list.
    case planned(Int, of: ListName? = nil)
    /// Days that the tree has, and the catalog lacked.
    case rediscovered(days: Int)
    case mirrored(Subject, title: String, state: DayStatus.State, bytes: Int)
    /// The former file is kept (`Versions`).
    case replaced(Subject, isMuchSmaller: Bool)
    case unchanged(Day)
    /// The upstream has no record of the day any more.
    case kept(Day, why: String)
    case absent(Day)
    case notYet(Day)
    /// `isPassing`: a retry may succeed.
    case failed(Subject, why: Problem, isPassing: Bool)
    /// A question about these days had no answer. `days`: how many of them are to fetch.
    case unanswered(ClosedRange<Day>, days: Int, why: Problem)
    case noted(String)
    /// A list itself did not come to its end.
    case listFailed(ListName, why: Problem)
}

extension RefreshEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .planned(let count, let list):
            return "\(list.map { "\($0): \(Picture.count(count))" } ?? Day.count(count)) to fetch"
        case .rediscovered(let days): return "found in the folder: \(Day.count(days))"
        case .mirrored(let subject, let title, let state, let bytes):
            // Where the files are here already, nothing but the text has come.
            let size = bytes > 0 ? Size.text(bytes) : state == .placeholder ? nil : "only its text is new"
            let note = state == .downgraded ? "a worse copy for now" : state == .placeholder ? "text only" : nil
            let front = subject.list.map { "\($0):" } ?? "\(subject)"
            return "\(front) \(Text.brief(title)) (\([size, note].compactMap(\.self).joined(separator: ", ")))"
        case .replaced(let subject, let isMuchSmaller):
            let note = isMuchSmaller ? ", a much smaller one" : ""
            guard let day = subject.date else {
                return "\(Self.name(subject)) has another picture\(note); the former one is kept"
            }
            return """
                \(day) has another picture or video\(note); \
                `apod-mirror revert \(day)` brings the former one back
                """
        case .unchanged(let day): return "\(day) is as it was"
        case .kept(let day, let why): return "\(day) stays as it is: \(why)"
        case .absent(let day): return "NASA has no picture for \(day)"
        case .notYet(let day): return "\(day) is not published yet"
        case .failed(let subject, let why, _): return "\(Self.name(subject)) failed: \(why)"
        case .unanswered(let days, let count, let why):
            let what = count == 0 ? "a second look at the days" : Day.count(count)
            return "\(what) from \(days.lowerBound) to \(days.upperBound) failed: \(why)"
        case .noted(let words): return words
        case .listFailed(let list, let why): return "\(list): \(why)"
        }
    }

    private static func name(_ subject: Subject) -> String {
        subject.list.map { "\($0): \(Text.brief(subject.front))" } ?? "\(subject)"
    }
}
