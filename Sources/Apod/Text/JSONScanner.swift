/// Walks over JSON text without building anything.
struct JSONScanner {
    private let bytes: ArraySlice<UInt8>
    var position: Int
    private var depth = 0
    private static let deepest = 64

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    mutating func skipValue() throws(JSONError) {
        switch next {
        case UInt8(ascii: "{"): try skipItems(end: UInt8(ascii: "}"), named: true)
        case UInt8(ascii: "["): try skipItems(end: UInt8(ascii: "]"), named: false)
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try skipWord("true")
        case UInt8(ascii: "f"): try skipWord("false")
        case UInt8(ascii: "n"): try skipWord("null")
        default: try skipNumber()
        }
    }

    private mutating func skip(_ byte: UInt8) throws(JSONError) {
        guard next == byte else { throw JSONError() }
        position += 1
    }

    private mutating func skipItems(end: UInt8, named: Bool) throws(JSONError) {
        depth += 1
        guard depth <= Self.deepest else { throw JSONError() }
        position += 1
        skipSpace()
        if next != end {
            while true {
                if named {
                    try skipString()
                    skipSpace()
                    try skip(UInt8(ascii: ":"))
                    skipSpace()
                }
                try skipValue()
                skipSpace()
                guard next == UInt8(ascii: ",") else { break }
                position += 1
                skipSpace()
            }
        }
        try skip(end)
        depth -= 1
    }

    private mutating func skipString() throws(JSONError) {
        try skip(UInt8(ascii: "\""))
        skipPlain()
        while next == UInt8(ascii: "\\") {
            position += 1
            try skipEscape()
            skipPlain()
        }
        try skip(UInt8(ascii: "\""))
    }

    /// Skips what stands for itself in a string: nearly all there is, so that no byte is checked twice.
    private mutating func skipPlain() {
        let rest = bytes[position...]
        position += rest.withUnsafeBufferPointer { rest in
            rest.firstIndex { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") } ?? rest.count
        }
    }

    private mutating func skipEscape() throws(JSONError) {
        switch next {
        // "/\bfnrt
        case 0x22, 0x2f, 0x5c, 0x62, 0x66, 0x6e, 0x72, 0x74: position += 1
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard let digit = next, 0x30...0x39 ~= digit || 0x41...0x46 ~= digit & ~0x20 else { throw JSONError() }
                position += 1
            }
        default: throw JSONError()
        }
    }

    private mutating func skipWord(_ word: StaticString) throws(JSONError) {
        let matches = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        guard matches else { throw JSONError() }
        position += word.utf8CodeUnitCount
    }

    private mutating func skipNumber() throws(JSONError) {
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") { position += 1 } else { try skipDigits() }
        if next == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = position
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        guard position > start else { throw JSONError() }
    }

    /// Calls `body` at the start of each item of the array or object that begins here. Only on checked text.
    mutating func forEachItem(_ body: (inout JSONScanner) -> Void) {
        position += 1
        skipSpace()
        while let byte = next, byte != UInt8(ascii: "]"), byte != UInt8(ascii: "}") {
            body(&self)
            skipSpace()
            if next == UInt8(ascii: ",") { position += 1 }
            skipSpace()
        }
    }

    /// The bytes of the value that begins here. Only on checked text.
    mutating func takeBytes() -> ArraySlice<UInt8> {
        let start = position
        try? skipValue()
        return bytes[start..<position]
    }

    static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var rest = bytes
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        while let escape = rest.firstIndex(of: UInt8(ascii: "\\")), escape + 1 < rest.endIndex {
            result += rest[..<escape]
            rest = rest[(escape + 1)...]
            Text.append(takeScalar(&rest), to: &result)
        }
        result += rest
        return String(decoding: result, as: UTF8.self)
    }

    /// The scalar of an escape, whose backslash is read already. A surrogate pair is two escapes.
    private static func takeScalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
        let unit = takeUnit(&rest)
        guard UTF16.isLeadSurrogate(unit), rest.starts(with: "\\u".utf8) else {
            return Unicode.Scalar(unit) ?? "\u{fffd}"
        }
        var behind = rest.dropFirst()
        let second = takeUnit(&behind)
        guard UTF16.isTrailSurrogate(second) else { return "\u{fffd}" }
        rest = behind
        return UTF16.decode(UTF16.EncodedScalar([unit, second]))
    }

    private static func takeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt16 {
        let escape = rest.removeFirst()
        switch escape {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0c
        case UInt8(ascii: "n"): return 0x0a
        case UInt8(ascii: "r"): return 0x0d
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            let digits = rest.prefix(4)
            rest = rest.dropFirst(4)
            return UInt16(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0xfffd
        default: return UInt16(escape)
        }
    }
}

/// A text is not JSON, or its values are nested too deeply.
package struct JSONError: Error {}
