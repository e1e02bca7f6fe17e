/// Percent-encoding (RFC 3986, 2.1).
package enum Percent {
    package static func encoded(_ text: some StringProtocol, where isForbidden: (UInt8) -> Bool) -> String {
        encoded(bytes: text.utf8, where: isForbidden)
    }

    /// A path, whose slashes stay.
    package static func path(_ path: String) -> String { encoded(path) { !plain.contains($0) } }

    private static let plain = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")

    package static func encoded(bytes: some Sequence<UInt8>, where isForbidden: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in bytes {
            if isForbidden(byte) {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
