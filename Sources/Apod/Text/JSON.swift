/// A value to be written in JSON's notation, its members in the order given.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])
    /// Text that is JSON already, written as it is but for what `JSONEscape` escapes.
    case text(JSONText)

    package static func optional(_ string: String?) -> JSON { string.map(JSON.string) ?? .null }
    package static func optional(_ integer: Int?) -> JSON { integer.map(JSON.integer) ?? .null }

    /// Indented, for people too, with one final newline.
    package var document: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, indent: 0)
        bytes.append("\n")
        return bytes
    }

    package var line: String { compact.text }

    package var compact: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, indent: nil)
        return bytes
    }

    /// Appends the value, indented by `indent` steps; nil: on one line.
    fileprivate func write(to bytes: inout [UInt8], indent: Int?) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .string(let value): Self.write(value, to: &bytes)
        case .text(let value): JSONEscape.append(json: value.bytes, to: &bytes)
        case .array(let values):
            Self.write(values, between: "[", and: "]", to: &bytes, indent: indent) { value, bytes, indent in
                value.write(to: &bytes, indent: indent)
            }
        case .object(let members):
            Self.write(members, between: "{", and: "}", to: &bytes, indent: indent) { member, bytes, indent in
                Self.write(member.0, to: &bytes)
                bytes += (indent == nil ? ":" : ": ").utf8
                member.1.write(to: &bytes, indent: indent)
            }
        }
    }

    private static func write<Element>(
        _ items: [Element], between open: Unicode.Scalar, and close: Unicode.Scalar, to bytes: inout [UInt8],
        indent: Int?,
        _ body: (Element, inout [UInt8], Int?) -> Void
    ) {
        bytes.append(UInt8(ascii: open))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(",") }
            newLine(to: &bytes, indent: indent.map { $0 + 1 })
            body(item, &bytes, indent.map { $0 + 1 })
        }
        if !items.isEmpty { newLine(to: &bytes, indent: indent) }
        bytes.append(UInt8(ascii: close))
    }

    private static func newLine(to bytes: inout [UInt8], indent: Int?) {
        guard let indent else { return }
        bytes.append("\n")
        bytes.append(contentsOf: repeatElement(" ", count: indent * 2))
    }

    private static func write(_ string: String, to bytes: inout [UInt8]) {
        bytes.append("\"")
        JSONEscape.append(string, to: &bytes)
        bytes.append("\"")
    }
}

/// The document of an array, made piece by piece: there may be very many items.
package struct JSONArrayDocument {
    /// What was made since the last `take`.
    private var bytes: [UInt8] = []
    package private(set) var isEmpty = true

    package init() {}

    package mutating func append(_ item: JSON) {
        bytes += (isEmpty ? "[\n  " : ",\n  ").utf8
        isEmpty = false
        item.write(to: &bytes, indent: 1)
    }

    /// The next piece, once it has `size` bytes.
    package mutating func take(atLeast size: Int) -> [UInt8]? {
        guard bytes.count >= size else { return nil }
        defer { bytes = [] }
        return bytes
    }

    /// The last piece.
    package consuming func finished() -> [UInt8] { bytes + (isEmpty ? "[]\n" : "\n]\n").utf8 }
}

extension JSONText {
    package init(_ string: String) { self.init(valid: JSON.string(string).compact[...]) }
}
