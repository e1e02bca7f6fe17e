import Apod

/// The key of a list of pictures (`list.NAME`), or of what is said of one (`list.NAME.FIELD`).
///
/// Such keys stand in a file only: as a variable, `list.a.id` would be named like `list.a-id`.
struct ListKey {
    private enum Part: Hashable {
        case list, cover, keep
        case rule(PictureList.Field)
    }

    let name: ListName
    private let part: Part

    private static let parts: [(word: String, part: Part)] =
        PictureList.Field.allCases.map { ($0.rawValue, .rule($0)) } + [("cover", .cover), ("keep", .keep)]

    private static func words(_ key: String) -> [Substring] {
        key.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    }

    init?(_ key: String) {
        let words = Self.words(key)
        guard words.count > 1, words[0] == "list", let name = ListName(words[1]),
            let part = words.count == 2 ? .list : Self.parts.first(where: { $0.word == words[2] })?.part
        else { return nil }
        (self.name, self.part) = (name, part)
    }

    /// What may have been meant by a key that is none; nil if it is not like a list's.
    static func hint(for key: String) -> String? {
        let words = words(key)
        guard words[0] == "list" else { return nil }
        guard words.count == 3, ListName(words[1]) != nil else {
            return "write list.NAME, a name of small letters, digits and hyphens"
        }
        let names = parts.map(\.word)
        return Spelling.nearest(to: String(words[2]), among: names).map { "did you mean list.\(words[1]).\($0)?" }
            ?? "of a list, you can set \(Text.names(names))"
    }

    /// The keys that a list can have.
    static func keys(of list: PictureList) -> [String] {
        ["list.\(list.name)"] + parts.map { "list.\(list.name).\($0.word)" }
    }

    /// Whether it says something of a list, which must be there.
    var isDetail: Bool { part != .list }

    var reading: SettingParser {
        let name = name
        switch part {
        case .list:
            let known = PictureList.known.map { "\($0.name)" }.joined(separator: ", ")
            return .storing("a known list (\(known)), or an address like https://example.org/list.json") {
                settings, text in
                let named = PictureList.known.first { "\($0.name)" == text }
                guard let address = named?.address ?? WebAddress(text) else { return nil }
                let rules = PictureList.known(at: address)?.rules ?? [:]
                settings[list: name] = PictureList(name: name, address: address, rules: rules, keep: Self.usualKeep)
            }
        case .cover:
            return .storing("an address like https://example.org/cover.jpg") { settings, text in
                guard let address = WebAddress(text) else { return nil }
                settings[list: name]?.cover = address
            }
        case .keep:
            return .storing("a whole number from 1 to 1000000, or all") { settings, text in
                let number = Int(text).flatMap { 1...1_000_000 ~= $0 ? $0 : nil }
                guard number != nil || text == "all" else { return nil }
                settings[list: name]?.keep = number
            }
        case .rule(let field):
            let takes = field == .items ? "a path like data.items" : Self.takes
            return .storing(takes) { settings, text in
                guard let rule = FieldRule(Text.clean(text)), field != .items || rule.path != nil else { return nil }
                settings[list: name]?.rules[field] = rule
            }
        }
    }

    /// So many pictures a list keeps where nothing is said.
    private static let usualKeep = 500

    private static let takes = "a path like title.rendered, or text with paths in it: https://example.org/{id}.jpg"

    /// The value; empty where nothing is said.
    func show(_ settings: Settings) -> String {
        guard let list = settings[list: name] else { return "" }
        let known = PictureList.known(at: list.address)
        switch part {
        case .list: return known.map { "\($0.name)" } ?? "\(list.address)"
        case .cover: return list.cover?.description ?? ""
        case .keep: return list.keep?.description ?? "all"
        case .rule(let field):
            return list.rules[field] == known?.rules[field] ? "" : list.rules[field]?.description ?? ""
        }
    }
}
