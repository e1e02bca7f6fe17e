package import Apod
package import Store

extension Event {
    /// `2026-11-20 mirrored`
    package var words: String {
        switch self {
        case .planned(let count, let list): "planned \(count)\(list.map { " of \($0)" } ?? "")"
        case .rediscovered(let days): "rediscovered \(days)"
        case .mirrored(let key, let title, let state, let bytes):
            key.list.map { "\($0) \(title)\(bytes == 0 ? " texts" : "")" } ?? "\(key) \(state)"
        case .replaced(let key, let isMuchSmaller):
            "\(Self.name(key)) replaced\(isMuchSmaller ? " by a smaller one" : "")"
        case .unchanged(let day): "\(day) unchanged"
        case .kept(let day, _): "\(day) kept"
        case .absent(let day): "\(day) absent"
        case .notYet(let day): "\(day) not yet"
        case .failed(let key, _, let isPassing):
            "\(Self.name(key)) failed\(isPassing && key.list == nil ? " for now" : "")"
        case .unanswered(let range, _, _): "\(range.lowerBound) to \(range.upperBound) unanswered"
        case .noted: "noted"
        case .listFailed(let list, _): "\(list) failed"
        default: ""
        }
    }

    private static func name(_ key: Key) -> String {
        key.list.map { "\($0) \(key.front)" } ?? "\(key)"
    }

    /// What somebody is told beyond the words.
    package var why: String? {
        switch self {
        case .kept(_, let why), .noted(let why): why
        case .failed(_, let why, _), .unanswered(_, _, let why), .listFailed(_, let why): why.description
        default: nil
        }
    }
}

extension [Event] {
    /// Without the plan.
    package var words: [String] { map(\.words).filter { !$0.hasPrefix("planned") } }

    /// The words about one day, without the day.
    package subscript(day: Day) -> String? {
        words.last { $0.hasPrefix("\(day) ") && !$0.contains(" to ") && !$0.contains(" replaced") }.map {
            String($0.dropFirst(11))
        }
    }
}
