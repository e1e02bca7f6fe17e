/// A byte is written as the ASCII character that it stands for.
// swift-format-ignore: AvoidRetroactiveConformances
extension UInt8: @retroactive ExpressibleByUnicodeScalarLiteral {
    @inlinable public init(unicodeScalarLiteral character: Unicode.Scalar) { self.init(ascii: character) }
}

extension StringProtocol {
    @inlinable package var bytes: [UInt8] { Array(utf8) }
}

extension Collection<UInt8> {
    /// In UTF-8; what is none is replaced.
    @inlinable package var text: String { String(decoding: self, as: UTF8.self) }
}
