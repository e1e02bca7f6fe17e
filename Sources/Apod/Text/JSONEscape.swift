/// Escapes the content of JSON strings, byte by byte.
///
/// Characters that a terminal obeys, or that change the order of text, are written as `\u…`, so that a file can be
/// looked at with `cat`: C0 and C1 controls, DEL, separators of lines and paragraphs, and marks of direction.
enum JSONEscape {
    static func append(_ string: String, to bytes: inout [UInt8]) {
        var string = string
        string.withUTF8 { append($0, isJSON: false, to: &bytes) }
    }

    /// Appends text that is JSON already.
    static func append(json: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        json.withUnsafeBufferPointer { append($0, isJSON: true, to: &bytes) }
    }

    private static func append(_ text: UnsafeBufferPointer<UInt8>, isJSON: Bool, to bytes: inout [UInt8]) {
        var start = 0
        var index = 0
        while index < text.count {
            // Most bytes stand for themselves.
            if 0x20..<0x7f ~= text[index], isJSON || text[index] != 0x22 && text[index] != 0x5c {
                index += 1
                continue
            }
            let rest = UnsafeBufferPointer(rebasing: text[index...])
            guard let special = isJSON && text[index] < 0x7f ? nil : special(rest) else {
                index += 1
                continue
            }
            bytes += text[start..<index]
            write(special.scalar, to: &bytes)
            index += special.length
            start = index
        }
        bytes += text[start...]
    }

    /// The character at the start of the text, if it has to be escaped.
    private static func special(_ text: UnsafeBufferPointer<UInt8>) -> (scalar: UInt16, length: Int)? {
        func scalar(_ length: Int) -> (UInt16, Int) {
            let unit = text[1..<length].reduce(UInt16(text[0]) & (length == 2 ? 0x1f : 0x0f)) {
                $0 << 6 | UInt16($1 & 0x3f)
            }
            return (unit, length)
        }
        switch text[0] {
        case 0..<0x20, 0x7f, "\"", "\\": return (UInt16(text[0]), 1)
        case 0xc2 where text[1] < 0xa0, 0xd8 where text[1] == 0x9c: return scalar(2)
        case 0xe2 where text[1] == 0x80:
            // U+200E, U+200F, and U+2028 to U+202E.
            return [0x8e, 0x8f].contains(text[2]) || 0xa8...0xae ~= text[2] ? scalar(3) : nil
        case 0xe2 where text[1] == 0x81:
            // U+2066 to U+2069.
            return 0xa6...0xa9 ~= text[2] ? scalar(3) : nil
        default: return nil
        }
    }

    private static func write(_ scalar: UInt16, to bytes: inout [UInt8]) {
        let digits = "0123456789abcdef".bytes
        switch scalar {
        case 0x22, 0x5c: bytes += ["\\", UInt8(scalar)]
        case 0x0a: bytes += "\\n".utf8
        case 0x09: bytes += "\\t".utf8
        default: bytes += "\\u".utf8 + [12, 8, 4, 0].map { digits[Int(scalar >> $0 & 15)] }
        }
    }
}
