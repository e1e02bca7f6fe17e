/// Codable values in JSON by their declarations: `maxTotal` is the member `max_total`.
extension JSON {
    package init(_ value: some Encodable) {
        let writer = JSONWriter()
        // Nothing that `JSONWriter` does can fail.
        try? writer.write(value)
        self = writer.json
    }
}

extension JSONText {
    /// nil if it is no such value.
    package func decoded<Value: Decodable>(_ type: Value.Type = Value.self) -> Value? {
        try? JSONReader(text: self).read(type)
    }
}

/// Has a form of its own in JSON.
package protocol JSONCodable: Codable {
    var json: JSON { get }
    init?(_ json: JSONText)
}

extension JSONCodable {
    package func encode(to encoder: any Encoder) throws { (encoder as? JSONWriter)?.single = json }

    package init(from decoder: any Decoder) throws {
        guard let reader = decoder as? JSONReader, let value = Self(reader.text) else { throw JSONError() }
        self = value
    }
}

/// An enum of which `code` says the case in JSON, like `out-of-reach`, with the case's values, or the members of its one
/// value without a name, beside it.
package protocol JSONTagged: Codable {}

/// Names its own members: no declaration does.
private protocol SelfNaming {}
extension Dictionary: SelfNaming where Key == String {}

extension String {
    fileprivate func separated(by mark: String) -> String {
        utf8.contains { 0x41...0x5a ~= $0 }
            ? String(flatMap { $0.isUppercase ? mark + $0.lowercased() : "\($0)" }) : self
    }

    /// Such a word back.
    fileprivate func joined(at mark: Character) -> String {
        let words = split(separator: mark)
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

extension CodingKey {
    fileprivate func member(asIs: Bool) -> String { asIs ? stringValue : stringValue.separated(by: "_") }
    /// The value without a name.
    fileprivate var isWhole: Bool { stringValue == "_0" }
}

/// Stands in JSON as its description.
package protocol JSONTextCodable: JSONCodable, CustomStringConvertible {
    init?(_ text: String)
}

extension JSONTextCodable {
    package var json: JSON { .string(description) }

    package init?(_ json: JSONText) {
        guard let text = json.string else { return nil }
        self.init(text)
    }
}

private final class JSONWriter: Encoder, Pathless {
    var single = JSON.null
    private var elements: [JSONWriter]?
    private var members: [(String, JSONWriter)]?
    private var isTagged = false
    private var isSelfNaming = false

    var json: JSON {
        members.map { .object($0.map { ($0.0, $0.1.json) }) } ?? elements.map { .array($0.map(\.json)) } ?? single
    }

    func write(_ value: some Encodable) throws {
        switch value {
        case let text as String: single = .string(text)
        case let number as Int: single = .integer(number)
        case let flag as Bool: single = .bool(flag)
        default:
            (isTagged, isSelfNaming) = (value is any JSONTagged, value is any SelfNaming)
            try value.encode(to: self)
        }
    }

    private func child(_ name: String = "") -> JSONWriter {
        let child = JSONWriter()
        members?.append((name, child))
        elements?.append(child)
        return child
    }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        members = []
        return KeyedEncodingContainer(Members(writer: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        elements = []
        return Elements(writer: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(writer: self) }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol, Pathless {
        let writer: JSONWriter

        private func child(_ key: Key) -> JSONWriter { writer.child(key.member(asIs: writer.isSelfNaming)) }

        func encodeNil(forKey key: Key) { _ = child(key) }
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            guard writer.isTagged, key.isWhole else { return try child(key).write(value) }
            guard case .object(let members) = JSON(value) else { throw JSONError() }
            for (name, value) in members { writer.child(name).single = value }
        }
        func nestedContainer<Other>(keyedBy type: Other.Type, forKey key: Key) -> KeyedEncodingContainer<Other> {
            guard writer.isTagged else { return child(key).container(keyedBy: type) }
            writer.child("code").single = .string(key.stringValue.separated(by: "-"))
            return KeyedEncodingContainer(JSONWriter.Members(writer: writer))
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { child(key).unkeyedContainer() }
        func superEncoder() -> any Encoder { writer.child("super") }
        func superEncoder(forKey key: Key) -> any Encoder { child(key) }
    }

    private struct Elements: UnkeyedEncodingContainer, Pathless {
        let writer: JSONWriter
        var count: Int { writer.elements?.count ?? 0 }

        func encodeNil() { _ = writer.child() }
        func encode<Value: Encodable>(_ value: Value) throws { try writer.child().write(value) }
        func nestedContainer<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            writer.child().container(keyedBy: type)
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { writer.child().unkeyedContainer() }
        func superEncoder() -> any Encoder { writer.child() }
    }

    private struct Single: SingleValueEncodingContainer, Pathless {
        let writer: JSONWriter

        func encodeNil() { writer.single = .null }
        func encode<Value: Encodable>(_ value: Value) throws { try writer.write(value) }
    }
}

/// Errors do not say where they are.
private protocol Pathless {}

extension Pathless {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
}

private struct JSONReader: Decoder, Pathless {
    let text: JSONText
    var isTagged = false
    var isSelfNaming = false
    var isNull: Bool { text.text == "null" }

    func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value: Any? =
            switch type {
            case is String.Type: text.string
            case is Int.Type: text.integer
            case is Bool.Type: text.bool
            default:
                try Value(
                    from: JSONReader(
                        text: text, isTagged: type is any JSONTagged.Type, isSelfNaming: type is any SelfNaming.Type))
            }
        guard let value = value as? Value else { throw JSONError() }
        return value
    }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = text.members else { throw JSONError() }
        return KeyedDecodingContainer(Members(members: members, whole: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = text.elements else { throw JSONError() }
        return Elements(elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(reader: self) }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol, Pathless {
        let members: [String: JSONText]
        let whole: JSONReader
        var allKeys: [Key] {
            if whole.isSelfNaming { return members.keys.compactMap(Key.init) }
            let names = whole.isTagged ? [members["code"]?.string ?? ""] : Array(members.keys)
            return names.compactMap { Key(stringValue: $0.joined(at: whole.isTagged ? "-" : "_")) }
        }

        private func text(_ key: Key) -> JSONText? { members[key.member(asIs: whole.isSelfNaming)] }

        private func reader(_ key: Key) throws -> JSONReader {
            guard let text = text(key) else { throw JSONError() }
            return JSONReader(text: text)
        }

        func contains(_ key: Key) -> Bool { text(key) != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try reader(key).isNull }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try (whole.isTagged && key.isWhole ? whole : reader(key)).read(type)
        }
        func nestedContainer<Other>(
            keyedBy type: Other.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Other> {
            try (whole.isTagged ? whole : reader(key)).container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try reader(key).unkeyedContainer()
        }
        func superDecoder() throws -> any Decoder { throw JSONError() }
        func superDecoder(forKey key: Key) throws -> any Decoder { try reader(key) }
    }

    private struct Elements: UnkeyedDecodingContainer, Pathless {
        let elements: [JSONText]
        var currentIndex = 0
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex == elements.count }

        private mutating func next() throws -> JSONReader {
            if isAtEnd { throw JSONError() }
            defer { currentIndex += 1 }
            return JSONReader(text: elements[currentIndex])
        }

        mutating func decodeNil() -> Bool {
            guard !isAtEnd, JSONReader(text: elements[currentIndex]).isNull else { return false }
            currentIndex += 1
            return true
        }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().read(type) }
        mutating func nestedContainer<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            try next().container(keyedBy: type)
        }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
        mutating func superDecoder() throws -> any Decoder { try next() }
    }

    private struct Single: SingleValueDecodingContainer, Pathless {
        let reader: JSONReader

        func decodeNil() -> Bool { reader.isNull }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try reader.read(type) }
    }
}
