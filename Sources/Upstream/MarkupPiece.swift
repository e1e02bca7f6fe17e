import Apod

/// A piece of HTML: a tag that opens or closes, or the text between two tags.
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

    private static let empty: Set<String> = ["br", "hr", "img", "source", "area", "embed"]

    /// The piece as HTML again, with no attribute but a link's address.
    fileprivate var html: String {
        switch self {
        case .open(let name, let attributes):
            "<\(name)\(attributes["href"].map { " href=\"\(HTML.escaped($0))\"" } ?? "")>"
        case .close(let name): Self.empty.contains(name) ? "" : "</\(name)>"
        case .text(let text): HTML.escaped(text)
        }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    func opens(_ name: String) -> Bool {
        if case .open(name, _) = self { true } else { false }
    }
}

extension Sequence<MarkupPiece> {
    var html: String { map(\.html).joined() }
}
