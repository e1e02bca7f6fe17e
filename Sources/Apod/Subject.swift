@_spi(_Unicode) import Swift

/// What a link in the favorites folder leads to: a day of APOD, or an item of another list.
///
/// It is the key of all that is known of favorites: two with one `Day` are equal. An item also has its name, which tells its
/// folder, and its id in the list where that is known. Another mirror may call the item otherwise; the id is the same.
package struct Subject: Hashable, Sendable {
    package let day: Day
    /// nil for a day: there may be very many links to days.
    private let listed: Listed?

    private final class Listed: Sendable {
        let name: FileName
        let id: String?

        init(_ name: FileName, _ id: String?) { (self.name, self.id) = (name, id) }
    }

    package init(_ day: Day) { (self.day, listed) = (day, nil) }

    package init(_ name: FileName, id: String? = nil) {
        day = name.day
        listed = name.list.map { _ in Listed(name, id) }
    }

    /// The same with its id.
    package func with(id: String?) -> Subject { listed.map { Subject($0.name, id: id) } ?? self }

    package static func == (one: Subject, other: Subject) -> Bool { one.day == other.day }

    package func hash(into hasher: inout Hasher) { hasher.combine(day.number) }

    package var list: ListName? { listed?.name.list }
    package var id: String? { listed?.id }

    /// nil for an item.
    package var date: Day? { listed == nil ? day : nil }

    /// Whether it is the same item by another name.
    package func isRenamed(_ other: Subject) -> Bool {
        id != nil && id == other.id && list == other.list && self != other
    }

    /// The folder of its files below the root: `2026/11`, `lists/cats` or `lists/hubble/2026`.
    package var folder: String { listed?.name.folder ?? day.folder }

    /// The path of one of its files below the root.
    package func path(of file: String) -> String { "\(folder)/\(file)" }

    /// The time of its files: noon of its date; nil for an item without one.
    package var noon: Int? { listed.map { $0.name.dateOfItem.flatMap(Day.noon) } ?? day.noon }

    /// How the names of its files begin: the date, or an item's whole name.
    package var front: String { listed?.name.stem ?? "\(day)" }
}

extension Subject: Comparable {
    /// Days come first.
    package static func < (one: Subject, other: Subject) -> Bool {
        guard let list = one.list else { return other.list != nil || one.day < other.day }
        guard let others = other.list else { return false }
        return (list, one.front) < (others, other.front)
    }
}

extension Subject: CustomStringConvertible {
    /// `2026-11-20`, or the path of an item's files without their suffix: `lists/cats/Mittens`.
    package var description: String { listed == nil ? front : path(of: front) }

    /// Reads a description back.
    package init?(_ text: String) {
        if let day = Day(text) { self.init(day) } else { self.init(itemAt: text.bytes) { $0 } }
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
            let name = FileName(stemOfItem: String(String.UnicodeScalarView(stem(text)._nfc)), of: list)
        else { return nil }
        if let year = name.yearOfItem, !parts[parts.count - 2].elementsEqual(year.utf8) { return nil }
        self.init(name)
    }
}

/// It stands in JSON as `date`, or as `list`, `id` and `name`.
extension Subject: JSONCodable {
    package var json: JSON { .sparse(members) }

    package init?(_ json: JSONText) {
        guard let members = json.members else { return nil }
        self.init(members)
    }

    package var members: [(String, JSON?)] {
        guard let listed else { return [("date", .day(day))] }
        return [
            ("list", list.map { .string("\($0)") }), ("id", listed.id.map(JSON.string)),
            ("name", .string(listed.name.stem)),
        ]
    }

    package init?(_ members: [String: JSONText]) {
        if let day = members["date"]?.day {
            self.init(day)
            return
        }
        guard let list = members["list"]?.string.flatMap({ ListName($0) }),
            let name = members["name"]?.string.flatMap({ FileName(stemOfItem: $0, of: list) })
        else { return nil }
        self.init(name, id: members["id"]?.string)
    }
}

extension Sequence<Subject> {
    /// The days of APOD among them.
    package var days: Set<Day> { Set(lazy.filter { $0.list == nil }.map(\.day)) }
}
