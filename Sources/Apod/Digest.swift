/// A SHA-256.
package struct Digest: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// 64 hexadecimal digits.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 64, text.utf8.count == 64 else { return nil }
        bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    package var description: String { Self.hexadecimal(bytes) }

    /// A positive number made of the first bytes.
    package var number: Int { bytes.prefix(7).reduce(1) { $0 << 8 | Int($1) } }

    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = "0123456789abcdef".bytes
        return (bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }).text
    }
}
