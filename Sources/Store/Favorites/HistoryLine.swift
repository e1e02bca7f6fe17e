package import Apod
import Files

/// A line of the history of the favorites (`FavoritesLog`): a JSON object.
///
/// `date` names the day that a link leads to. For an item of another list, `list`, `id` and `name` stand in its place, and a
/// program that knows days alone passes over the line.
package struct HistoryLine: Sendable, Equatable {
    package enum Turn: String, Sendable {
        case came, went
        /// A link came in the place of another one, `from`, to the same key.
        case moved
    }

    /// In seconds since 1970.
    package let moment: Int
    package var change: Turn
    package var link: Link
    /// What its list calls an item, where that is known. Another mirror may have chosen another name for it.
    package var id: String?
    package var from: Place?
    /// Whether it is a symbolic link, and no file that counts by its content.
    package let isLink: Bool
    /// What the link said, where that is not what the mirror writes. The line stands before the link is rewritten.
    package let was: String?

    package init(
        _ change: Turn, _ link: Link, id: String? = nil, at moment: Int, from: Place? = nil, isLink: Bool = true,
        was: String? = nil
    ) {
        self.change = change
        self.link = link
        self.id = id
        self.moment = moment
        self.from = from
        self.isLink = isLink
        self.was = was
    }
}

extension HistoryLine {
    package var json: JSON {
        .sparse(
            [("time", .moment(moment)), ("change", .string(change.rawValue))] + link.key.members(id: id) + [
                ("link", .string("\(link.place)")), ("link_bytes", Self.bytes(of: link.place)),
                ("from", from.map { .string("\($0)") }), ("from_bytes", from.flatMap(Self.bytes)),
                ("file", link.file.map(JSON.string)), ("is", isLink ? nil : .string("file")),
                ("was", was.map(JSON.string)),
            ])
    }

    /// The path as numbers, where it is not text.
    private static func bytes(of place: Place) -> JSON? {
        let path = place.path
        return String(validating: path, as: UTF8.self) == nil ? .array(path.map { .integer(Int($0)) }) : nil
    }

    /// nil for what is no line of the history.
    init?(_ line: [UInt8]) {
        guard let members = (try? JSONText(line))?.orderedMembers else { return nil }
        // A dictionary of these few would take longer to make, and there are very many lines.
        func member(_ name: String) -> JSONText? { members.last { $0.name == name }?.value }
        func place(_ name: String) -> Place? {
            if let bytes = member("\(name)_bytes")?.elements {
                return Place(path: bytes.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } })
            }
            return (member(name)?.string).flatMap { Place(path: $0.bytes) }
        }
        guard let moment = member("time")?.moment, let change = (member("change")?.string).flatMap(Turn.init),
            let key = Key(member: member), let link = place("link")
        else { return nil }
        self.init(
            change, Link(link, to: key, file: (member("file")?.string).flatMap { Name($0)?.text }),
            id: key.list.flatMap { _ in member("id")?.string }, at: moment, from: place("from"),
            isLink: member("is")?.string != "file", was: member("was")?.string)
    }
}
