import Apod

/// How what `search` finds stands on the terminal, with excerpts.
enum SearchLine {
    /// Of an excerpt.
    static let indent = "    "

    /// On a terminal, what is long goes on in lines below.
    static func show(_ line: String) {
        guard Terminal.isOutputInteractive else { return Terminal.print(highlighting: line) }
        // The words behind a date, or those of an excerpt.
        let indent = line.hasPrefix(indent) ? indent.count : 12
        let width = max(Terminal.outputWidth, 2 * indent) - indent
        let lines = Lines.wrapped(String(line.dropFirst(indent)), to: width)
        let gap = String(repeating: " ", count: indent)
        Terminal.print(highlighting: String(line.prefix(indent)) + lines.joined(separator: "\n" + gap))
    }
}
