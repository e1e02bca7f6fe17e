import Apod

/// The layout of search results with excerpts.
enum SearchLine {
    /// The indent of an excerpt.
    static let indent = "    "

    /// Prints a line; on a terminal, a long one is wrapped.
    static func show(_ line: String) {
        guard Terminal.isOutputInteractive else { return Terminal.print(highlighting: line) }
        // The indent of an excerpt, or of a title after its date.
        let indent = line.hasPrefix(indent) ? indent.count : 12
        let width = max(Terminal.outputWidth, 2 * indent) - indent
        let lines = Lines.wrapped(String(line.dropFirst(indent)), to: width)
        let gap = String(repeating: " ", count: indent)
        Terminal.print(highlighting: String(line.prefix(indent)) + lines.joined(separator: "\n" + gap))
    }
}
