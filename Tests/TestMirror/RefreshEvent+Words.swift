package import Apod
internal import Syncing

extension RefreshEvent {
    /// `2026-11-20 mirrored`
    package var words: String {
        switch self {
        case .planned(let days): "planned \(days)"
        case .rediscovered(let days): "rediscovered \(days)"
        case .mirrored(let day, _, let state, _): "\(day) \(state)"
        case .replaced(let day, let isMuchSmaller): "\(day) replaced\(isMuchSmaller ? " by a smaller one" : "")"
        case .unchanged(let day): "\(day) unchanged"
        case .kept(let day, _): "\(day) kept"
        case .absent(let day): "\(day) absent"
        case .notYet(let day): "\(day) not yet"
        case .failed(let day, _, let isPassing): "\(day) failed\(isPassing ? " for now" : "")"
        case .unanswered(let range, _, _): "\(range.lowerBound) to \(range.upperBound) unanswered"
        case .noted: "noted"
        case .itemsPlanned(let list, let count): "planned \(count) of \(list)"
        case .item(let list, let title, let bytes): "\(list) \(title)\(bytes == 0 ? " texts" : "")"
        case .itemReplaced(let list, let title, let isMuchSmaller):
            "\(list) \(title) replaced\(isMuchSmaller ? " by a smaller one" : "")"
        case .itemFailed(let list, let title, _): "\(list) \(title) failed"
        case .listFailed(let list, _): "\(list) failed"
        }
    }

    /// What somebody is told beyond the words.
    package var why: String? {
        switch self {
        case .kept(_, let why), .noted(let why): why
        case .failed(_, let why, _), .unanswered(_, _, let why), .itemFailed(_, _, let why), .listFailed(_, let why):
            why.description
        default: nil
        }
    }
}

extension [RefreshEvent] {
    /// Without the plan.
    package var words: [String] { map(\.words).filter { !$0.hasPrefix("planned") } }

    /// The words about one day, without the day.
    package subscript(day: Day) -> String? {
        words.last { $0.hasPrefix("\(day) ") && !$0.contains(" to ") && !$0.contains(" replaced") }.map {
            String($0.dropFirst(11))
        }
    }
}
