/// A value to be written in JSON's notation, its members in the order given.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])
    /// Text that is JSON already, written as it is.
    case text(JSONText)

    package static func optional(_ string: String?) -> JSON { string.map(JSON.string) ?? .null }
    package static func optional(_ integer: Int?) -> JSON { integer.map(JSON.integer) ?? .null }

    /// Indented, for people too, with one final newline.
    package var document: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, indent: 0)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    package var compact: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, indent: nil)
        return bytes
    }

    /// Indented by so many steps where it stands in something else.
    package func write(to bytes: inout [UInt8], indent: Int?) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .string(let value): Self.write(value, to: &bytes)
        case .text(let value): bytes += value.bytes
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

    private static func write<Item>(
        _ items: [Item], between open: Unicode.Scalar, and close: Unicode.Scalar, to bytes: inout [UInt8], indent: Int?,
        _ body: (Item, inout [UInt8], Int?) -> Void
    ) {
        bytes.append(UInt8(ascii: open))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            newLine(to: &bytes, indent: indent.map { $0 + 1 })
            body(item, &bytes, indent.map { $0 + 1 })
        }
        if !items.isEmpty { newLine(to: &bytes, indent: indent) }
        bytes.append(UInt8(ascii: close))
    }

    private static func newLine(to bytes: inout [UInt8], indent: Int?) {
        guard let indent else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent * 2))
    }

    private static func write(_ string: String, to bytes: inout [UInt8]) {
        var string = string
        bytes.append(UInt8(ascii: "\""))
        string.withUTF8 { text in
            var rest = text[...]
            while let special = rest.firstIndex(where: isSpecial) {
                bytes += rest[..<special]
                writeEscape(of: rest[special], to: &bytes)
                rest = rest[(special + 1)...]
            }
            bytes += rest
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func writeEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\n"): bytes += "\\n".utf8
        case UInt8(ascii: "\t"): bytes += "\\t".utf8
        default: bytes += "\\u00".utf8 + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
}
