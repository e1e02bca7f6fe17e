/// A piece of HTML or XML: a tag that opens or closes, or the text between two tags.
enum MarkupPiece: Sendable, Equatable {
    case open(String, [String: String])
    case close(String)
    case text(String)

    private static let blocks: Set<String> = [
        "br", "p", "div", "center", "hr", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "table", "tr", "td",
        "th", "blockquote", "pre", "dl", "dt", "dd",
    ]

    /// Whether the texts before and behind the piece are on different lines.
    var breaksLine: Bool {
        switch self {
        case .open(let name, _), .close(let name): Self.blocks.contains(name)
        case .text: false
        }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    func opens(_ name: String) -> Bool {
        if case .open(name, _) = self { true } else { false }
    }
}
