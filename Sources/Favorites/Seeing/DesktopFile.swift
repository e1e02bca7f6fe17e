/// A file that stands for a link, as some file managers make it (freedesktop.org, Desktop Entry Specification).
struct DesktopFile {
    let path: [UInt8]

    static let suffix = ".desktop"
    static let longest = 64 << 10

    /// nil for a file that is no link, or a link to anything but a `file:` address.
    init?(_ bytes: [UInt8]) {
        var isEntry = false
        var isLink = false
        var address: [UInt8]?
        for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
            if line.first == UInt8(ascii: "[") { isEntry = line.elementsEqual("[Desktop Entry]".utf8) }
            guard isEntry, let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = Array(line[..<equals].split(separator: 0x20).first ?? [])
            let value = line[(equals + 1)...].drop { $0 == 0x20 }
            switch key {
            case Array("Type".utf8): isLink = value.elementsEqual("Link".utf8)
            case Array("URL".utf8): address = address ?? Array(value)
            case Array("URL[$e]".utf8): address = address ?? Self.expanded(value)
            default: break
            }
        }
        guard isLink, let address, let path = Self.path(of: address[...]) else { return nil }
        self.path = path
    }

    /// KConfig writes the person's home as `$HOME`, with nothing before it, and a dollar sign as two. Whose home it is,
    /// is unknown: `$HOME` stays as a folder's name, and the end of the path decides.
    private static func expanded(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let text = Array(value).replacing("$$".utf8, with: "$".utf8)
        let home = Array("file:$HOME/".utf8)
        return text.starts(with: home) ? Array("file:/".utf8) + text.dropFirst(5) : text
    }

    /// `file:///2026/…`, `file:/2026/…` or `file://host/2026/…`, percent-encoded or not.
    private static func path(of address: ArraySlice<UInt8>) -> [UInt8]? {
        guard address.starts(with: "file:".utf8) else { return nil }
        var rest = address.dropFirst(5)
        if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") } }
        guard rest.first == UInt8(ascii: "/") else { return nil }
        var path: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = Self.byte(rest.prefix(2)) {
                rest = rest.dropFirst(2)
                path.append(value)
            } else {
                path.append(byte)
            }
        }
        return path.contains(0) ? nil : path
    }

    /// Two hexadecimal digits, and nothing else.
    private static func byte(_ digits: ArraySlice<UInt8>) -> UInt8? {
        let areDigits = digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
        return digits.count == 2 && areDigits ? UInt8(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    }
}
