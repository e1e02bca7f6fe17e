internal import Apod
internal import Catalog
internal import Syncing

/// Events in the answers to a command.
extension RefreshEvent {
    var json: JSON {
        let (name, day, members): (String, Day?, [(String, JSON)]) =
            switch self {
            case .planned(let days): ("planned", nil, [("days", .integer(days))])
            case .rediscovered(let days): ("rediscovered", nil, [("days", .integer(days))])
            case .mirrored(let day, let title, let state, let bytes):
                (
                    "mirrored", day,
                    [("title", .string(title)), ("state", .string(state.rawValue)), ("bytes", .integer(bytes))]
                )
            case .replaced(let day, let isMuchSmaller):
                ("replaced", day, [("smaller", .bool(isMuchSmaller))])
            case .unchanged(let day): ("unchanged", day, [])
            case .kept(let day, let why): ("kept", day, [("why", .string(why))])
            case .absent(let day): ("absent", day, [])
            case .notYet(let day): ("not-yet", day, [])
            case .failed(let day, let why, let isPassing):
                ("failed", day, [("why", why.json), ("passing", .bool(isPassing))])
            case .unanswered(let range, let days, let why):
                (
                    "unanswered", range.lowerBound,
                    [("until", .day(range.upperBound)), ("days", .integer(days)), ("why", why.json)]
                )
            case .noted(let words): ("noted", nil, [("why", .string(words))])
            case .itemsPlanned(let list, let count):
                ("items-planned", nil, [("list", .string("\(list)")), ("pictures", .integer(count))])
            case .item(let list, let title, let bytes):
                ("item", nil, Self.of(list, title) + [("bytes", .integer(bytes))])
            case .itemReplaced(let list, let title, let isMuchSmaller):
                ("item-replaced", nil, Self.of(list, title) + [("smaller", .bool(isMuchSmaller))])
            case .itemFailed(let list, let title, let why):
                ("item-failed", nil, Self.of(list, title) + [("why", why.json)])
            case .listFailed(let list, let why):
                ("list-failed", nil, [("list", .string("\(list)")), ("why", why.json)])
            }
        return .object([("event", .string(name))] + (day.map { [("day", .day($0))] } ?? []) + members)
    }

    private static func of(_ list: ListName, _ title: String) -> [(String, JSON)] {
        [("list", .string("\(list)")), ("title", .string(title))]
    }

    private static func ofList(_ members: [String: JSONText]) -> RefreshEvent? {
        guard let list = members["list"]?.string.flatMap({ ListName($0) }) else { return nil }
        let (title, why) = (members["title"]?.string, Failure(members["why"]))
        switch (members["event"]?.string, title, why) {
        case ("items-planned", _, _): return members["pictures"]?.integer.map { .itemsPlanned(list, pictures: $0) }
        case ("item", let title?, _): return members["bytes"]?.integer.map { .item(list, title: title, bytes: $0) }
        case ("item-replaced", let title?, _):
            return members["smaller"]?.bool.map { .itemReplaced(list, title: title, isMuchSmaller: $0) }
        case ("item-failed", let title?, let why?): return .itemFailed(list, title: title, why: why)
        case ("list-failed", _, let why?): return .listFailed(list, why: why)
        default: return nil
        }
    }

    init?(_ members: [String: JSONText]) {
        if let event = Self.ofList(members) {
            self = event
            return
        }
        switch (members["event"]?.string, members["day"]?.day, members["days"]?.integer, members["why"]?.string) {
        case ("planned", _, let count?, _): self = .planned(days: count)
        case ("rediscovered", _, let count?, _): self = .rediscovered(days: count)
        case ("mirrored", let day?, _, _):
            guard let title = members["title"]?.string, let bytes = members["bytes"]?.integer,
                let state = members["state"]?.string.flatMap(DayStatus.State.init)
            else { return nil }
            self = .mirrored(day, title: title, state: state, bytes: bytes)
        case ("replaced", let day?, _, _):
            guard let isMuchSmaller = members["smaller"]?.bool else { return nil }
            self = .replaced(day, isMuchSmaller: isMuchSmaller)
        case ("unchanged", let day?, _, _): self = .unchanged(day)
        case ("kept", let day?, _, let why?): self = .kept(day, why: why)
        case ("absent", let day?, _, _): self = .absent(day)
        case ("not-yet", let day?, _, _): self = .notYet(day)
        case ("failed", let day?, _, _):
            guard let isPassing = members["passing"]?.bool, let why = Failure(members["why"]) else { return nil }
            self = .failed(day, why: why, isPassing: isPassing)
        case ("unanswered", let first?, let count?, _):
            guard let last = members["until"]?.day, first <= last, let why = Failure(members["why"]) else { return nil }
            self = .unanswered(first...last, days: count, why: why)
        case ("noted", _, _, let why?): self = .noted(why)
        default: return nil
        }
    }
}
