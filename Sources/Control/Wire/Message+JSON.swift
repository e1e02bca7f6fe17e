internal import Apod
internal import Syncing
package import Thumbnails

extension Message {
    var json: JSON {
        switch self {
        case .changed(let change, let subject, let link):
            .sparse([("entry", .string(change.rawValue)), ("link", .optional(link))] + subject.members)
        case .said(let words): Self.json("said", words)
        case .warned(let words): Self.json("warned", words)
        case .complained(let words): Self.json("complained", words)
        case .refreshBegan(let named): .object([("stage", .days(named))])
        case .event(let event): event.json
        case .received(let bytes): .object([("received", .integer(bytes))])
        case .delayed(let why): .object([("delayed", why?.json ?? .null)])
        case .refreshEnded(let why): .object([("stage_end", why?.json ?? .null)])
        case .thumbnailsBegan(let count): .object([("thumbnails", .integer(count))])
        case .thumbnail(let thumbnail): thumbnail.json
        }
    }

    private static func json(_ name: String, _ words: String) -> JSON {
        .object([("entry", .string(name)), ("words", .string(words))])
    }

    init?(_ members: [String: JSONText]) {
        guard let message = Self.entry(members) ?? Self.report(members) else { return nil }
        self = message
    }

    private static func entry(_ members: [String: JSONText]) -> Message? {
        switch (members["entry"]?.string, members["words"]?.string) {
        case ("said", let words?): return .said(words)
        case ("warned", let words?): return .warned(words)
        case ("complained", let words?): return .complained(words)
        case (let name, _):
            guard let change = name.flatMap(Change.init), let subject = Subject(members) else { return nil }
            return .changed(change, subject, link: members["link"]?.string)
        }
    }

    private static func report(_ members: [String: JSONText]) -> Message? {
        guard let (name, value) = members.first, members.count == 1 else {
            return RefreshEvent(members).map(Message.event) ?? Thumbnail(members).map(Message.thumbnail)
        }
        return switch name {
        case "stage": value.days.map { .refreshBegan(named: $0) }
        case "stage_end": members[name].optional({ Problem($0) }).map { .refreshEnded($0) }
        case "delayed": members[name].optional({ Problem($0) }).map { .delayed($0) }
        case "received": value.integer.map { .received($0) }
        case "thumbnails": value.integer.map { .thumbnailsBegan(count: $0) }
        default: nil
        }
    }
}

extension Thumbnail {
    /// The outcome, as JSON names it.
    package var facts: (state: String, paths: [String], bytes: Int, why: String?) {
        switch outcome {
        case .made(let paths, let bytes): ("made", paths, bytes, nil)
        case .there(let paths): ("there", paths, 0, nil)
        case .refused(let why): ("refused", [], 0, why)
        case .failed(let why): ("failed", [], 0, why)
        }
    }

    fileprivate var json: JSON {
        let (state, paths, bytes, why) = facts
        return .object([
            ("thumbnail", .string(state)), ("day", .day(day)), ("paths", .strings(paths)),
            ("bytes", .integer(bytes)), ("why", .optional(why)),
        ])
    }

    fileprivate init?(_ members: [String: JSONText]) {
        let list = members["paths"]?.elements
        guard let day = members["day"]?.day, let paths = list?.compactMap(\.string), paths.count == list?.count
        else { return nil }
        let outcome: Outcome
        switch (members["thumbnail"]?.string, members["bytes"]?.integer, members["why"]?.string) {
        case ("made", let bytes?, _): outcome = .made(paths, bytes: bytes)
        case ("there", _, _): outcome = .there(paths)
        case ("refused", _, let why?): outcome = .refused(why: why)
        case ("failed", _, let why?): outcome = .failed(why: why)
        default: return nil
        }
        self.init(day: day, outcome: outcome)
    }
}
