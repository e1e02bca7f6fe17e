import Apod

/// HTML as a list of tags and texts: unlike a tree, no depth of nesting can exhaust the stack.
struct Markup: Sendable {
    let pieces: [MarkupPiece]

    /// Longer pages are cut; a real one has 12 KB. libxml2 compares each attribute of an element with all others, and
    /// each end tag with all open elements, so a hostile page could keep it busy for minutes.
    private static let longestPage = 1 << 17

    /// Reads anything, as a browser does, but leaves out scripts and styles.
    init(html: String) {
        // Most titles and names need no parser.
        let html =
            html.utf8.count <= Self.longestPage
            ? html : html.utf8.prefix(Self.longestPage).text
        guard html.utf8.contains(where: { $0 == "<" || $0 == "&" || $0 == 0 }) else {
            pieces = html.isEmpty ? [] : [.text(html)]
            return
        }
        let tree = MarkupTree(html: Self.readable(html.utf8))
        pieces = tree.pieces(without: ["script", "style"])
    }

    /// Returns UTF-8 without the control characters that end a text for libxml2, and without white space and byte order
    /// marks in front.
    private static func readable(_ source: some Collection<UInt8>) -> [UInt8] {
        var bytes = Array(source)
        if String(validating: bytes, as: UTF8.self) == nil {
            bytes = bytes.text.bytes
        }
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        var start = bytes.startIndex
        while start < bytes.endIndex, bytes[start] <= 0x20 || bytes[start...].starts(with: mark) {
            start += bytes[start] <= 0x20 ? 1 : mark.count
        }
        bytes.removeFirst(start)
        for index in bytes.indices where bytes[index] < 0x20 && ![0x09, 0x0a, 0x0d].contains(bytes[index]) {
            bytes[index] = 0x20
        }
        return bytes
    }
}

extension Markup {
    /// The pieces of the element that begins at an index, up to its end.
    func element(from start: Int) -> ArraySlice<MarkupPiece> {
        var depth = 0
        for index in pieces[start...].indices {
            switch pieces[index] {
            case .open: depth += 1
            case .close: depth -= 1
            case .text: break
            }
            if depth == 0 { return pieces[start...index] }
        }
        return pieces[start...]
    }
}
