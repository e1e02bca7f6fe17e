/// Walks over JSON text without building anything.
struct JSONScanner {
    private let bytes: ArraySlice<UInt8>
    var position: Int
    /// How deep values were nested so far.
    private(set) var depth = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    /// Values may be nested to any depth: what is open is a list and no recursion.
    mutating func skipValue() throws(JSONError) {
        var ends: [UInt8] = []
        repeat {
            switch next {
            case "{", "[":
                let end: UInt8 = next == "{" ? "}" : "]"
                position += 1
                depth = max(depth, ends.count + 1)
                skipSpace()
                if next != end {
                    ends.append(end)
                    if end == "}" { try skipName() }
                    continue
                }
                position += 1
            case "\"": try skipString()
            case "t": try skipWord("true")
            case "f": try skipWord("false")
            case "n": try skipWord("null")
            default: try skipNumber()
            }
            try skipEnds(&ends)
        } while !ends.isEmpty
    }

    /// Skips what closes with the value before, or the comma before the next value.
    private mutating func skipEnds(_ ends: inout [UInt8]) throws(JSONError) {
        while let end = ends.last {
            skipSpace()
            if next == "," {
                position += 1
                skipSpace()
                if end == "}" { try skipName() }
                return
            }
            try skip(end)
            ends.removeLast()
        }
    }

    private mutating func skipName() throws(JSONError) {
        try skipString()
        skipSpace()
        try skip(":")
        skipSpace()
    }

    private mutating func skip(_ byte: UInt8) throws(JSONError) {
        guard next == byte else { throw JSONError() }
        position += 1
    }

    private mutating func skipString() throws(JSONError) {
        try skip("\"")
        skipPlain()
        while next == "\\" {
            position += 1
            try skipEscape()
            skipPlain()
        }
        try skip("\"")
    }

    /// Skips what stands for itself in a string: nearly all there is, so that no byte is checked twice.
    private mutating func skipPlain() {
        let rest = bytes[position...]
        position += rest.withUnsafeBytes { rest in
            var start = 0
            // Eight at a time: a byte below another takes a one from its neighbour, a byte that is another has no bits then.
            while start + 8 <= rest.count {
                let word = rest.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                let (quotes, slashes) = (word ^ Self.all(0x22), word ^ Self.all(0x5c))
                let found =
                    (word &- Self.all(0x20)) & ~word | (quotes &- Self.all(1)) & ~quotes
                    | (slashes &- Self.all(1)) & ~slashes
                if found & Self.all(0x80) != 0 { break }
                start += 8
            }
            return rest[start...].firstIndex { $0 < 0x20 || $0 == "\"" || $0 == "\\" } ?? rest.count
        }
    }

    private static func all(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

    private mutating func skipEscape() throws(JSONError) {
        switch next {
        // "/\bfnrt
        case 0x22, 0x2f, 0x5c, 0x62, 0x66, 0x6e, 0x72, 0x74: position += 1
        case "u":
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
        if next == "-" { position += 1 }
        if next == "0" { position += 1 } else { try skipDigits() }
        if next == "." {
            position += 1
            try skipDigits()
        }
        if next == "e" || next == "E" {
            position += 1
            if next == "+" || next == "-" { position += 1 }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = position
        while let byte = next, "0"..."9" ~= byte { position += 1 }
        guard position > start else { throw JSONError() }
    }

    /// Calls `body` at the start of each item of the array or object that begins here. Only on checked text.
    mutating func forEachItem(_ body: (inout JSONScanner) -> Void) {
        position += 1
        skipSpace()
        while let byte = next, byte != "]", byte != "}" {
            body(&self)
            skipSpace()
            if next == "," { position += 1 }
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
        guard bytes.contains("\\") else { return bytes.text }
        var rest = bytes
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        while let escape = rest.firstIndex(of: "\\"), escape + 1 < rest.endIndex {
            result += rest[..<escape]
            rest = rest[(escape + 1)...]
            Text.append(takeScalar(&rest), to: &result)
        }
        result += rest
        return result.text
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
        case "b": return 0x08
        case "f": return 0x0c
        case "n": return 0x0a
        case "r": return 0x0d
        case "t": return 0x09
        case "u":
            let digits = rest.prefix(4)
            rest = rest.dropFirst(4)
            return UInt16(digits.text, radix: 16) ?? 0xfffd
        default: return UInt16(escape)
        }
    }
}

/// A text is not JSON.
package struct JSONError: Error {}
