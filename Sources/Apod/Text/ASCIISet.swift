/// A set of ASCII characters with a fast lookup: it is asked about every byte of many texts.
package struct ASCIISet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package init(_ characters: StaticString) {
        characters.withUTF8Buffer { bytes in
            for byte in bytes {
                precondition(byte < 0x80)
                if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
            }
        }
    }

    package func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case ..<64: low >> UInt64(byte) & 1 == 1
        case ..<0x80: high >> UInt64(byte - 64) & 1 == 1
        default: false
        }
    }
}
