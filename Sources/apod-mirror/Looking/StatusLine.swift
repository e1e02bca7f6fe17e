/// How lines of `status` stand on the terminal.
enum StatusLine {
    private static let indent = 14

    static func show(_ lines: [(name: String, words: String)]) {
        for (name, words) in lines {
            let gap = String(repeating: " ", count: max(1, indent - name.count))
            show(words, behind: name + gap, indent)
        }
    }

    /// On a terminal, what is long goes on in lines below, as far in as it began.
    static func show(_ words: String, behind front: String, _ indent: Int) {
        guard Terminal.isOutputInteractive else { return Terminal.print(front + words) }
        let words = Terminal.completed(words)
        let lines = Lines.wrapped(message: words, to: max(Terminal.outputWidth, 2 * indent) - indent)
        Terminal.print(front + lines.joined(separator: "\n" + String(repeating: " ", count: indent)))
    }

    /// How many rows of a window they take.
    static func rows(_ words: String, behind indent: Int) -> Int {
        let width = max(Terminal.outputWidth, 2 * indent) - indent
        let lines = Lines.wrapped(message: Terminal.completed(words), to: width)
        return max(1, lines.reduce(0) { $0 + max(1, ($1.unicodeScalars.count + width - 1) / width) })
    }

    static func rows(_ lines: [(name: String, words: String)]) -> Int {
        lines.reduce(0) { $0 + rows($1.words, behind: indent) }
    }
}
