/// Text with links in it: nothing but words, and addresses on the web.
package struct LinkedText: Sendable, Equatable {
    package enum Part: Sendable, Equatable {
        case words(String)
        case link(String, WebAddress)
    }

    package let parts: [Part]

    package init(_ parts: [Part]) { self.parts = parts }

    package init(_ text: String) { parts = [.words(text)] }

    package var text: String {
        parts.map { part in
            switch part {
            case .words(let words), .link(let words, _): words
            }
        }.joined()
    }

    package var html: String {
        parts.map { part in
            switch part {
            case .words(let words): HTML.escaped(words)
            case .link(let words, let address):
                "<a href=\"\(HTML.escaped(address.description))\">\(HTML.escaped(words))</a>"
            }
        }.joined()
    }

    /// A string; with links, a list of strings and of pairs of words and address.
    package var json: JSON {
        if parts.count == 1, case .words(let words) = parts[0] { return .string(words) }
        return .array(
            parts.map { part in
                switch part {
                case .words(let words): .string(words)
                case .link(let words, let address): .array([.string(words), .string(address.description)])
                }
            })
    }
}
