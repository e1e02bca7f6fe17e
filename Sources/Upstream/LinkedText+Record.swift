package import Apod

/// Finds a text's links in the record that it was read from. Takes over words and web addresses only.
extension LinkedText {
    /// In a longer field, links are not looked for.
    private static let longest = 20_000
    /// How far into a field the text may begin.
    private static let longestHead = 4_096

    /// `text`: the explanation or the credit, as `Picture` has it.
    package init(_ text: String, in record: JSONText) {
        let fields = Fields(record: record)
        let base = fields?.permalink.flatMap { WebAddress(decoding: $0) }
        for html in [fields?.explanation, fields?.credit, fields?.copyright].compactMap(\.self) {
            if let found = Self(text, in: html, base) {
                self = found
                return
            }
        }
        self.init(text)
    }

    /// Finds `text` in a field by its characters, white space aside. nil if it is not there or has no links.
    private init?(_ text: String, in html: String, _ base: WebAddress?) {
        let scalars = Array(text.unicodeScalars)
        let places = scalars.indices.filter { !Text.isSpace(scalars[$0]) }
        let (letters, links) = Self.read(html, base)
        guard !links.isEmpty, !places.isEmpty, places.count <= letters.count, letters.count <= Self.longest else {
            return nil
        }
        let wanted = places.map { scalars[$0] }
        let starts = 0...min(letters.count - wanted.count, Self.longestHead)
        guard let start = starts.first(where: { letters[$0...].starts(with: wanted) }) else { return nil }
        var parts: [Part] = []
        var end = 0
        func words(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
        for (range, address) in links where range.lowerBound >= start && range.upperBound <= start + wanted.count {
            let link = places[range.lowerBound - start]..<places[range.upperBound - start - 1] + 1
            if link.lowerBound > end { parts.append(.words(words(end..<link.lowerBound))) }
            parts.append(.link(words(link), address))
            end = link.upperBound
        }
        guard !parts.isEmpty else { return nil }
        if end < scalars.count { parts.append(.words(words(end..<scalars.count))) }
        self.init(parts)
    }

    /// The visible characters without white space, and the links among them.
    private static func read(_ html: String, _ base: WebAddress?) -> (
        letters: [Unicode.Scalar], links: [(range: Range<Int>, address: WebAddress)]
    ) {
        var letters: [Unicode.Scalar] = []
        var links: [(Range<Int>, WebAddress)] = []
        var open: (start: Int, address: WebAddress)?
        for piece in Markup(html: html).pieces {
            switch piece {
            case .open("a", let attributes):
                open = attributes["href"].flatMap { WebAddress($0, relativeTo: base) }.map { (letters.count, $0) }
            case .close("a"):
                if let open, open.start < letters.count { links.append((open.start..<letters.count, open.address)) }
                open = nil
            case .text(let text):
                letters += PlainText.visible(text).unicodeScalars.filter { !Text.isSpace($0) }
            case .open, .close: break
            }
        }
        return (letters, links)
    }
}
