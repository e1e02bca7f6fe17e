/// Where a list has one of its fields: a path (`title.rendered`), or text with paths and parts of the item's date in it
/// (`https://example.org/{YYYY}/{image}.png`).
package struct FieldRule: Hashable, Sendable, CustomStringConvertible {
    /// The rule as it is written.
    package let description: String
    private let parts: [Part]

    private enum Part: Hashable, Sendable {
        case words(String)
        case value(JSONPath)
        case year, month, day

        init?(braced text: String) {
            switch text {
            case "YYYY": self = .year
            case "MM": self = .month
            case "DD": self = .day
            default:
                guard let path = JSONPath(text) else { return nil }
                self = .value(path)
            }
        }

        /// nil where the item has no such value. `date`: like `2026-11-20`.
        func text(_ members: [String: JSONText], _ date: String?) -> String? {
            switch self {
            case .words(let words): words
            case .value(let path): path.values(in: members).firstValue(\.words)
            case .year: date.map { String($0.prefix(4)) }
            case .month: date.map { String($0.dropFirst(5).prefix(2)) }
            case .day: date.map { String($0.suffix(2)) }
            }
        }
    }

    package init?(_ text: String) {
        description = text
        guard text.utf8.contains(where: Self.isBrace) else {
            guard let path = JSONPath(text) else { return nil }
            parts = [.value(path)]
            return
        }
        var parts: [Part] = []
        var rest = text[...].utf8
        while true {
            let words = rest.prefix { !Self.isBrace($0) }
            parts.append(.words(words.text))
            rest = rest.dropFirst(words.count)
            if rest.isEmpty { break }
            guard rest.popFirst() == "{", let close = rest.firstIndex(of: "}"),
                let part = Part(braced: rest[..<close].text)
            else { return nil }
            parts.append(part)
            rest = rest[close...].dropFirst()
        }
        self.parts = parts
    }

    private static func isBrace(_ byte: UInt8) -> Bool { byte == "{" || byte == "}" }

    /// The same words for every item.
    init(always words: String) { (description, parts) = (words, [.words(words)]) }

    /// nil for text with fields in it.
    package var path: JSONPath? {
        if parts.count == 1, case .value(let path) = parts[0] { path } else { nil }
    }

    /// What an item with these members has: all values of a path, or one text. `date`: like `2026-11-20`.
    package func texts(in members: [String: JSONText], date: String?) -> [String] {
        if let path { return path.values(in: members).compactMap(\.words) }
        let texts = parts.compactMap { $0.text(members, date) }
        return texts.count == parts.count ? [texts.joined()] : []
    }
}
