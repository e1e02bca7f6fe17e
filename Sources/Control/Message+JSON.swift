internal import Apod
internal import Syncing
package import Thumbnails

extension Message {
    var json: JSON {
        switch self {
        case .changed(let change, let day, let link):
            .object([
                ("entry", .string(change.rawValue)), ("day", .day(day)), ("link", .optional(link)),
            ])
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
        let count = members.values.first?.integer.flatMap { $0 >= 0 ? $0 : nil }
        switch (members["entry"]?.string, members["words"]?.string, members.keys.first, members.count) {
        case ("said", let words?, _, _): self = .said(words)
        case ("warned", let words?, _, _): self = .warned(words)
        case ("complained", let words?, _, _): self = .complained(words)
        case (let name?, _, _, _):
            guard let change = Change(rawValue: name), let day = members["day"]?.day else { return nil }
            self = .changed(change, day, link: members["link"]?.string)
        case (_, _, "stage", 1):
            guard let days = members["stage"]?.days else { return nil }
            self = .refreshBegan(named: days)
        case (_, _, "stage_end", 1):
            guard let why = members["stage_end"].optional({ Failure($0) }) else { return nil }
            self = .refreshEnded(why)
        case (_, _, "delayed", 1):
            guard let why = members["delayed"].optional({ Failure($0) }) else { return nil }
            self = .delayed(why)
        case (_, _, "received", 1):
            guard let count else { return nil }
            self = .received(count)
        case (_, _, "thumbnails", 1):
            guard let count else { return nil }
            self = .thumbnailsBegan(count: count)
        default:
            if let event = RefreshEvent(members) {
                self = .event(event)
            } else if let thumbnail = Thumbnail(members) {
                self = .thumbnail(thumbnail)
            } else {
                return nil
            }
        }
    }
}

extension Thumbnail {
    /// The outcome, as JSON names it.
    package var facts: (state: String, paths: [String], bytes: Int, why: String?) {
        switch outcome {
        case .made(let paths, let bytes): ("made", paths, bytes, nil)
        case .kept(let paths): ("kept", paths, 0, nil)
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
        case ("kept", _, _): outcome = .kept(paths)
        case ("refused", _, let why?): outcome = .refused(why: why)
        case ("failed", _, let why?): outcome = .failed(why: why)
        default: return nil
        }
        self.init(day: day, outcome: outcome)
    }
}
