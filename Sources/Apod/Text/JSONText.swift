/// One value in JSON's notation, known to be valid, kept exactly as it came and read on demand.
///
/// A record is kept byte for byte beside what was understood of it; a tree of decoded values could not give it back.
package struct JSONText: Sendable, Equatable {
    package let bytes: ArraySlice<UInt8>

    /// Checks the whole text (RFC 8259). Bytes that are not UTF-8 become U+FFFD first.
    package init(_ source: [UInt8]) throws(JSONError) {
        let valid = String(validating: source, as: UTF8.self) != nil
        let source = valid ? source : source.text.bytes
        var scanner = JSONScanner(source[...])
        scanner.skipSpace()
        let start = scanner.position
        try scanner.skipValue()
        bytes = source[start..<scanner.position]
        scanner.skipSpace()
        guard scanner.position == source.endIndex else { throw JSONError() }
    }

    init(valid bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    package static func == (a: JSONText, b: JSONText) -> Bool { a.bytes.elementsEqual(b.bytes) }

    package var text: String { bytes.text }

    /// The values of an array; nil if this is not one.
    package var elements: [JSONText]? {
        guard bytes.first == "[" else { return nil }
        var scanner = JSONScanner(bytes)
        var result: [JSONText] = []
        scanner.forEachItem { scanner in result.append(scanner.takeValue()) }
        return result
    }

    /// The members of an object; nil if this is not one. Of two with one name, the later counts.
    package var members: [String: JSONText]? {
        var result: [String: JSONText] = Dictionary(minimumCapacity: 12)
        return forEachMember { result[$0] = $1 } ? result : nil
    }

    /// The same in their order.
    package var orderedMembers: [(name: String, value: JSONText)]? {
        var result: [(name: String, value: JSONText)] = []
        return forEachMember { result.append(($0, $1)) } ? result : nil
    }

    /// False if this is not an object.
    @discardableResult
    private func forEachMember(_ body: (String, JSONText) -> Void) -> Bool {
        guard bytes.first == "{" else { return false }
        var scanner = JSONScanner(bytes)
        scanner.forEachItem { scanner in
            let name = scanner.takeValue().string ?? ""
            scanner.skipSpace()
            scanner.position += 1
            scanner.skipSpace()
            body(name, scanner.takeValue())
        }
        return true
    }

    package subscript(name: String) -> JSONText? {
        var result: JSONText?
        forEachMember { if $0 == name { result = $1 } }
        return result
    }

    package var string: String? {
        guard bytes.first == "\"" else { return nil }
        return JSONScanner.unescaped(bytes.dropFirst().dropLast())
    }

    package var integer: Int? { Int(text) }

    package var bool: Bool? {
        switch bytes.first {
        case "t": true
        case "f": false
        default: nil
        }
    }
}

extension JSONText {
    /// In bytes, of a document beside a picture.
    package static let longestDocument = 16 << 20
    /// Of a record. Its document has it with escapes, up to six times as long, beside what was read of it.
    package static let longestRecord = longestDocument / 16
    /// Others' programs read documents, and many go no deeper than some hundred levels.
    package static let deepestRecord = 64

    /// Whether no document is to hold it.
    package var isTooLarge: Bool {
        var scanner = JSONScanner(bytes)
        return bytes.count > Self.longestRecord || (try? scanner.skipValue()) == nil
            || scanner.depth > Self.deepestRecord
    }
}

extension JSONScanner {
    /// The value that begins here. Only on checked text.
    fileprivate mutating func takeValue() -> JSONText { JSONText(valid: takeBytes()) }
}
