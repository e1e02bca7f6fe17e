package import Apod

/// Why a page of a list cannot be used.
package enum BadList: Error, Equatable, CustomStringConvertible {
    case html
    case notJSON
    /// `path`: where the settings say that they are.
    case noItems(path: String?, fields: [String])
    /// No item has a field. `names`: those that were looked for.
    case lacking(PictureList.Field, names: [String], items: Int, fields: [String])

    /// The field to say in the settings where it is; nil where that does not help.
    package var field: PictureList.Field? {
        switch self {
        case .html, .notJSON: nil
        case .noItems: .items
        case .lacking(let field, _, _, _): field
        }
    }

    package var description: String {
        switch self {
        case .html: "a page in HTML, not a list in JSON"
        case .notJSON: "not JSON, or cut off"
        case .noItems(let path, let fields):
            "no items\(path.map { " in \(Self.quoted($0))" } ?? "")\(Self.telling(fields))"
        case .lacking(let field, let names, let items, let fields):
            """
            \(items == 1 ? "1 item" : "\(items) items"); no \(Self.kind(of: field))\(Self.choice(names))\
            \(Self.telling(fields))
            """
        }
    }

    /// A member with such a name may be there, and be none.
    private static func kind(of field: PictureList.Field) -> String {
        switch field {
        case .picture: "picture in "
        case .date: "date in "
        default: ""
        }
    }

    private static let mostFields = 30

    private static func telling(_ fields: [String]) -> String {
        if fields.isEmpty { return "" }
        let names = fields.prefix(mostFields).map { Text.shown($0, atMost: 40) }.joined(separator: ", ")
        return ": fields are \(names)\(fields.count > mostFields ? ", …" : "")"
    }

    /// `a`, `b` or `c`.
    private static func choice(_ names: [String]) -> String {
        let names = names.map(quoted)
        let first = names.dropLast().joined(separator: ", ")
        return first.isEmpty ? names.joined() : "\(first) or \(names[names.count - 1])"
    }

    private static func quoted(_ name: String) -> String { "`\(Text.brief(name))`" }
}
