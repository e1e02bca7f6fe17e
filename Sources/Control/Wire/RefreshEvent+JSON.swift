internal import Apod
internal import Catalog
internal import Syncing

/// Events in the answers to a command. What an event is about stands in it as in the history of the favorites.
extension RefreshEvent {
    var json: JSON {
        let (name, members): (String, [(String, JSON?)]) =
            switch self {
            case .planned(let count, let list):
                ("planned", [("count", .integer(count)), ("list", list.map { .string("\($0)") })])
            case .rediscovered(let days): ("rediscovered", [("count", .integer(days))])
            case .mirrored(let subject, let title, let state, let bytes):
                (
                    "mirrored",
                    subject.members + [
                        ("title", .string(title)), ("state", .string(state.rawValue)), ("bytes", .integer(bytes)),
                    ]
                )
            case .replaced(let subject, let isMuchSmaller):
                ("replaced", subject.members + [("smaller", .bool(isMuchSmaller))])
            case .unchanged(let day): ("unchanged", [("date", .day(day))])
            case .kept(let day, let why): ("kept", [("date", .day(day)), ("why", .string(why))])
            case .absent(let day): ("absent", [("date", .day(day))])
            case .notYet(let day): ("not-yet", [("date", .day(day))])
            case .failed(let subject, let why, let isPassing):
                ("failed", subject.members + [("why", why.json), ("passing", .bool(isPassing))])
            case .unanswered(let range, let days, let why):
                (
                    "unanswered",
                    [
                        ("date", .day(range.lowerBound)), ("until", .day(range.upperBound)), ("count", .integer(days)),
                        ("why", why.json),
                    ]
                )
            case .noted(let words): ("noted", [("why", .string(words))])
            case .listFailed(let list, let why): ("list-failed", [("list", .string("\(list)")), ("why", why.json)])
            }
        return .sparse([("event", .string(name))] + members)
    }

    init?(_ members: [String: JSONText]) {
        let (subject, list) = (Subject(members), members["list"]?.string.flatMap { ListName($0) })
        let (count, words, why) = (members["count"]?.integer, members["why"]?.string, Problem(members["why"]))
        switch (members["event"]?.string, subject, subject?.date) {
        case ("planned", _, _):
            guard let count else { return nil }
            self = .planned(count, of: list)
        case ("rediscovered", _, _):
            guard let count else { return nil }
            self = .rediscovered(days: count)
        case ("mirrored", let subject?, _):
            guard let title = members["title"]?.string, let bytes = members["bytes"]?.integer,
                let state = members["state"]?.string.flatMap(DayStatus.State.init)
            else { return nil }
            self = .mirrored(subject, title: title, state: state, bytes: bytes)
        case ("replaced", let subject?, _):
            guard let isMuchSmaller = members["smaller"]?.bool else { return nil }
            self = .replaced(subject, isMuchSmaller: isMuchSmaller)
        case ("unchanged", _, let day?): self = .unchanged(day)
        case ("kept", _, let day?):
            guard let words else { return nil }
            self = .kept(day, why: words)
        case ("absent", _, let day?): self = .absent(day)
        case ("not-yet", _, let day?): self = .notYet(day)
        case ("failed", let subject?, _):
            guard let isPassing = members["passing"]?.bool, let why else { return nil }
            self = .failed(subject, why: why, isPassing: isPassing)
        case ("unanswered", _, let first?):
            guard let last = members["until"]?.day, first <= last, let count, let why else { return nil }
            self = .unanswered(first...last, days: count, why: why)
        case ("noted", _, _):
            guard let words else { return nil }
            self = .noted(words)
        case ("list-failed", _, _):
            guard let list, let why else { return nil }
            self = .listFailed(list, why: why)
        default: return nil
        }
    }
}
