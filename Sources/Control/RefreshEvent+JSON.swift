internal import Apod
internal import Catalog
internal import Syncing

/// As it travels between the service and whoever has asked it for a sync.
extension Refresh.Event {
    var json: JSON {
        switch self {
        case .planned(let days): Self.json("planned", [("days", .integer(days))])
        case .rediscovered(let days): Self.json("adopted", [("days", .integer(days))])
        case .mirrored(let day, let title, let state, let bytes):
            Self.json(
                "mirrored", day,
                [("title", .string(title)), ("state", .string(state.rawValue)), ("bytes", .integer(bytes))])
        case .unchanged(let day): Self.json("unchanged", day)
        case .kept(let day, let why): Self.json("kept", day, [("why", .string(why))])
        case .absent(let day): Self.json("absent", day)
        case .notYet(let day): Self.json("not-yet", day)
        case .failed(let day, let why, let isPassing):
            Self.json("failed", day, [("why", .string(why)), ("passing", .bool(isPassing))])
        case .unanswered(let range, let days, let why):
            Self.json(
                "unanswered", range.lowerBound,
                [("until", .string("\(range.upperBound)")), ("days", .integer(days)), ("why", .string(why))])
        case .noted(let words): Self.json("noted", [("why", .string(words))])
        }
    }

    private static func json(_ name: String, _ day: Day, _ members: [(String, JSON)] = []) -> JSON {
        json(name, [("day", .string("\(day)"))] + members)
    }

    private static func json(_ name: String, _ members: [(String, JSON)]) -> JSON {
        .object([("event", .string(name))] + members)
    }

    /// nil for what is none of these.
    init?(_ members: [String: JSONText]) {
        let day = members["day"]?.string.flatMap { Day($0) }
        let count = members["days"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
        let why = members["why"]?.string
        let event: Self? =
            switch members["event"]?.string {
            case "planned": count.map { .planned(days: $0) }
            case "adopted": count.map { .rediscovered(days: $0) }
            case "mirrored": day.flatMap { Self.mirrored($0, members) }
            case "unchanged": day.map { .unchanged($0) }
            case "kept": day.flatMap { day in why.map { .kept(day, why: $0) } }
            case "absent": day.map { .absent($0) }
            case "not-yet": day.map { .notYet($0) }
            case "failed": day.flatMap { Self.failed($0, why, members) }
            case "unanswered": day.flatMap { Self.unanswered(since: $0, count, why, members) }
            case "noted": why.map { .noted($0) }
            default: nil
            }
        guard let event else { return nil }
        self = event
    }

    private static func mirrored(_ day: Day, _ members: [String: JSONText]) -> Self? {
        guard let title = members["title"]?.string, let bytes = members["bytes"]?.integer, bytes >= 0,
            let state = members["state"]?.string.flatMap(DayStatus.State.init)
        else { return nil }
        return .mirrored(day, title: title, state: state, bytes: bytes)
    }

    private static func failed(_ day: Day, _ why: String?, _ members: [String: JSONText]) -> Self? {
        guard let why, let isPassing = members["passing"]?.bool else { return nil }
        return .failed(day, why: why, isPassing: isPassing)
    }

    private static func unanswered(
        since first: Day, _ count: Int?, _ why: String?, _ members: [String: JSONText]
    ) -> Self? {
        guard let count, let why, let last = members["until"]?.string.flatMap({ Day($0) }), first <= last else {
            return nil
        }
        return .unanswered(first...last, days: count, why: why)
    }
}
