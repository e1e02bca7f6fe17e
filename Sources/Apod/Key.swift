@_spi(_Unicode) import Swift

/// What is mirrored, as the tree says it: a day of APOD by its date, or an item of another list by its stem, the name that
/// was chosen for its files once. What a source calls an item is its id, which leads to the key through the catalog.
package enum Key: Hashable, Sendable {
    case day(Day)
    case item(ItemName)

    /// nil for an item.
    package var day: Day? { if case .day(let day) = self { day } else { nil } }

    /// nil for a day.
    package var item: ItemName? { if case .item(let item) = self { item } else { nil } }

    package var list: ListName? { item?.list }

    /// How the names of its files begin: the date, or an item's whole stem.
    package var front: String {
        switch self {
        case .day(let day): "\(day)"
        case .item(let item): item.stem
        }
    }

    /// The folder of its files below the root: `2026/11`, `lists/cats` or `lists/hubble/2026`.
    package var folder: String {
        switch self {
        case .day(let day): day.folder
        case .item(let item): item.list.path(item.date.map { String($0.prefix(4)) } ?? "")
        }
    }

    /// The path of one of its files below the root.
    package func path(of file: String) -> String { "\(folder)/\(file)" }

    /// The time of its files: noon of its date; nil for an item without one.
    package var noon: Int? {
        switch self {
        case .day(let day): day.noon
        case .item(let item): item.date.flatMap(Day.noon)
        }
    }

    /// The list's cover stands among its items.
    package static func cover(of list: ListName) -> Key { .item(ItemName("cover", of: list)) }
    package var isCover: Bool { list.map { self == .cover(of: $0) } ?? false }
}

/// The stem of an item's files, and its list. A reference: a `Key` is small, as there may be very many of days.
package struct ItemName: Hashable, Sendable {
    private final class Parts: Sendable {
        let list: ListName
        let stem: String

        init(_ list: ListName, _ stem: String) { (self.list, self.stem) = (list, stem) }
    }

    private let parts: Parts

    /// Other modules make a name of a title or of a stem that is checked (`FileName`).
    init(_ stem: String, of list: ListName) { parts = Parts(list, stem) }

    package var list: ListName { parts.list }
    package var stem: String { parts.stem }

    /// The date with which the stem begins, of any year.
    package var date: String? {
        let date = stem.utf8.prefix(10).text
        return Day.isDate(date) ? date : nil
    }

    package static func == (a: ItemName, b: ItemName) -> Bool {
        a.parts === b.parts || a.stem == b.stem && a.list == b.list
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(list)
        hasher.combine(stem)
    }
}

extension Key: Comparable {
    /// Days come first.
    package static func < (one: Key, other: Key) -> Bool {
        switch (one, other) {
        case (.day(let one), .day(let other)): one < other
        case (.item(let one), .item(let other)): (one.list, one.stem) < (other.list, other.stem)
        case (.day, .item): true
        case (.item, .day): false
        }
    }
}

extension Key: CustomStringConvertible {
    /// `2026-11-20`, or the path of an item's files without their suffix: `lists/cats/Mittens`.
    package var description: String { day.map { "\($0)" } ?? path(of: front) }

    /// Reads a description back.
    package init?(_ text: String) {
        if let day = Day(text) { self = .day(day) } else { self.init(itemAt: text.bytes) { $0 } }
        if description != text { return nil }
    }

    /// The item that a path to one of its files names, in any mirror.
    package init?(itemOfFile path: [UInt8]) {
        self.init(itemAt: path) { name in
            FileName.parts(of: name).flatMap { Self.suffixes.contains($0.suffix) ? $0.stem : nil } ?? name
        }
    }

    private static let suffixes = Set(MediaType.allCases.map(\.suffix) + [FileName.json])

    private init?(itemAt path: [UInt8], stem: (String) -> String) {
        let parts = path.split(separator: "/")
        guard path.last != "/", parts.count > 2, let last = parts.last,
            let text = String(validating: last, as: UTF8.self),
            let list = ListName(
                atEndOf: parts.dropLast(Day.isDate(last.prefix(10).text) ? 2 : 1)),
            // Macs and some mounts write letters and their marks apart; the mirror's names are composed.
            let item = ItemName(stem: String(String.UnicodeScalarView(stem(text)._nfc)), of: list)
        else { return nil }
        if let year = item.date?.prefix(4), !parts[parts.count - 2].elementsEqual(year.utf8) { return nil }
        self = .item(item)
    }
}

/// A key stands in JSON as `date`, or as `list`, `id` (where that is known) and `name`.
extension Key: JSONCodable {
    package var json: JSON { .sparse(members()) }

    package init?(_ json: JSONText) {
        guard let members = json.members else { return nil }
        self.init(members)
    }

    package func members(id: String? = nil) -> [(String, JSON?)] {
        switch self {
        case .day(let day): [("date", .day(day))]
        case .item(let item):
            [("list", .string("\(item.list)")), ("id", id.map(JSON.string)), ("name", .string(item.stem))]
        }
    }

    package init?(_ members: [String: JSONText]) { self.init { members[$0] } }

    /// `member` returns the value that a member of an object has, by its name.
    package init?(member: (String) -> JSONText?) {
        if let day = member("date")?.day {
            self = .day(day)
            return
        }
        guard let list = member("list")?.string.flatMap({ ListName($0) }),
            let item = member("name")?.string.flatMap({ ItemName(stem: $0, of: list) })
        else { return nil }
        self = .item(item)
    }
}

/// What addresses, feeds and the smaller copies call a key: the date or, of an item, sixteen hexadecimal digits. Nothing but
/// the catalog leads back from them (`Catalog.key(marked:)`); `KnownItems` makes sure that no two items have the same.
extension Key {
    package var mark: String {
        guard let item else { return front }
        let digits = String(item.number, radix: 16)
        return String(repeating: "0", count: Self.markLength - digits.utf8.count) + digits
    }

    /// Of an item.
    package static let markLength = 16

    /// Whether a text is an item's mark.
    package static func isMark(_ text: some StringProtocol) -> Bool {
        text.utf8.count == markLength && text.utf8.allSatisfy { "0"..."9" ~= $0 || "a"..."f" ~= $0 }
    }
}

extension ItemName {
    private static let (stemBits, listBits) = (40, 22)

    /// Fewer than 63 bits, above zero.
    fileprivate var number: Int {
        (1 + Self.hash(list.description, bits: Self.listBits)) << Self.stemBits + Self.hash(stem, bits: Self.stemBits)
    }

    /// FNV-1a, and MurmurHash3's end: without it, the first bits know little of the last letter.
    private static func hash(_ text: String, bits: Int) -> Int {
        var hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] as [UInt64] {
            hash = (hash ^ hash >> 33) &* factor
        }
        return Int((hash ^ hash >> 33) >> (64 - bits))
    }
}

extension Sequence<Key> {
    /// The days of APOD among them.
    package var days: Set<Day> { Set(lazy.compactMap(\.day)) }
}

/// One of a key's pictures: the first, or a further one by the number in its file's name.
package struct PictureKey: Hashable, Sendable {
    package let key: Key
    package let number: Int

    package init(_ key: Key, _ number: Int = 1) { (self.key, self.number) = (key, number) }

    /// The newest day comes first, and behind all days the items of other lists.
    package static func areNewestFirst(_ one: PictureKey, _ other: PictureKey) -> Bool {
        if one.key == other.key { return one.number < other.number }
        guard let day = one.key.day, let otherDay = other.key.day else { return one.key < other.key }
        return day > otherDay
    }
}
