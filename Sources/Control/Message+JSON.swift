internal import Apod
internal import Syncing

extension Message {
    var json: JSON {
        switch self {
        case .changed(let change, let day, let link):
            .object([
                ("entry", .string(change.rawValue)), ("day", .string("\(day)")), ("link", .optional(link)),
            ])
        case .said(let words): Self.json("said", words)
        case .warned(let words): Self.json("warned", words)
        case .complained(let words): Self.json("complained", words)
        }
    }

    private static func json(_ name: String, _ words: String) -> JSON {
        .object([("entry", .string(name)), ("words", .string(words))])
    }

    /// nil for what is none of these.
    init?(_ members: [String: JSONText]) {
        let words = members["words"]?.string
        let message: Self? =
            switch members["entry"]?.string {
            case "said": words.map { .said($0) }
            case "warned": words.map { .warned($0) }
            case "complained": words.map { .complained($0) }
            case let name?:
                Change(rawValue: name).flatMap { change in
                    members["day"]?.string.flatMap { Day($0) }.map {
                        .changed(change, $0, link: members["link"]?.string)
                    }
                }
            case nil: nil
            }
        guard let message else { return nil }
        self = message
    }
}
