/// An absolute http or https address, in ASCII, without user name, password or fragment.
///
/// Parsed by bytes: a combining letter joins a mark such as `#` into another `Character`.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private let pathStart: String.Index

    private static let ofSchemes = ASCIISet("abcdefghijklmnopqrstuvwxyz0123456789+-.")
    private static let ofAuthorities = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_:[]")
    private static let authorityEnds = ASCIISet("/?#\\")
    private static let forbidden = ASCIISet("\"<>\\^`{|}")

    /// Reads an address as it stands in a page: relative to `base`, with spaces and other characters not yet encoded.
    package init?(_ text: some StringProtocol, relativeTo base: WebAddress? = nil) {
        let text = Text.clean(String(text))
        guard !text.isEmpty else { return nil }
        if let scheme = Self.scheme(of: text) {
            self.init(scheme: scheme, rest: text[text.utf8.index(text.startIndex, offsetBy: scheme.utf8.count + 1)...])
        } else if let base {
            self.init(base: base, reference: text)
        } else {
            return nil
        }
    }

    package init?(_ text: String) { self.init(text, relativeTo: nil) }

    private init?(scheme: String, rest: Substring) {
        guard ["http", "https"].contains(scheme), rest.utf8.starts(with: "//".utf8) else { return nil }
        let rest = rest.dropFirst(2)
        let end = rest.utf8.firstIndex(where: Self.authorityEnds.contains) ?? rest.endIndex
        let authority = rest[..<end]
        // A name has at most 253 bytes (RFC 1035).
        guard 1...300 ~= authority.utf8.count, authority.utf8.allSatisfy(Self.ofAuthorities.contains) else {
            return nil
        }
        var path = rest[end...]
        if let fragment = path.utf8.firstIndex(of: "#") { path = path[..<fragment] }
        let front = "\(scheme)://\(authority.lowercased())"
        description = front + (path.utf8.first == "/" ? "" : "/") + Self.encoded(path)
        pathStart = description.utf8.index(description.startIndex, offsetBy: front.utf8.count)
    }

    private init?(base: WebAddress, reference: String) {
        let path = base.path
        let absolute: String
        if reference.utf8.starts(with: "//".utf8) {
            absolute = "\(base.scheme):\(reference)"
        } else if reference.utf8.starts(with: "/".utf8) {
            absolute = "\(base.origin)\(reference)"
        } else if reference.utf8.starts(with: "?".utf8) {
            absolute = "\(base.origin)\(path)\(reference)"
        } else {
            let folder = path[..<path.index(after: path.lastIndex(of: "/") ?? path.startIndex)]
            absolute = "\(base.origin)\(folder)\(reference)"
        }
        self.init(absolute)
    }

    package var scheme: Substring { Self.front(of: description[...], before: ":") }

    /// `https://example.org:8080`
    package var origin: Substring { description[..<pathStart] }

    /// Host and port.
    package var authority: Substring { origin.dropFirst(scheme.count + 3) }

    package var host: Substring {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return authority[...end] }
        return Self.front(of: authority, before: ":")
    }

    package var path: Substring { Self.front(of: description[pathStart...], before: "?") }

    package var query: Substring? {
        description.utf8.firstIndex(of: "?").map { description[description.utf8.index(after: $0)...] }
    }

    package var withoutQuery: WebAddress { query == nil ? self : WebAddress("\(origin)\(path)")! }

    package func appending(path: String) -> WebAddress {
        WebAddress("\(origin)\(self.path.hasSuffix("/") ? self.path.dropLast() : self.path)\(path)")!
    }

    /// The letters behind the last dot of the last part of the path, lower case: `jpg`.
    package var pathExtension: String {
        let path = path
        let mark = path.utf8.lastIndex { $0 == "." || $0 == "/" }
        guard let mark, path.utf8[mark] == "." else { return "" }
        return path[path.utf8.index(after: mark)...].lowercased()
    }

    /// The text before a mark, found by bytes: an address is ASCII, and characters are slow.
    private static func front(of text: Substring, before mark: Unicode.Scalar) -> Substring {
        text[..<(text.utf8.firstIndex(of: UInt8(ascii: mark)) ?? text.endIndex)]
    }

    private static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        return scheme.utf8.allSatisfy(ofSchemes.contains) ? scheme : nil
    }

    /// Encodes forbidden bytes, and leaves what is encoded already.
    private static func encoded(_ text: some StringProtocol) -> String {
        let forbidden = forbidden
        return Percent.encoded(text) { $0 <= 0x20 || $0 >= 0x7f || forbidden.contains($0) }
    }
}
