/// The layout of lines of `status`.
enum StatusLine {
    private static let indent = 14

    static func show(_ lines: [(name: String, words: String)]) {
        for (name, words) in lines {
            let gap = String(repeating: " ", count: max(1, indent - name.count))
            show(words, behind: name + gap, indent)
        }
    }

    /// Prints `front` and `words`; on a terminal, long words are wrapped and indented.
    static func show(_ words: String, behind front: String, _ indent: Int) {
        guard Terminal.isOutputInteractive else { return Terminal.print(front + words) }
        let words = Terminal.completed(words)
        let lines = Lines.wrapped(message: words, to: max(Terminal.outputWidth, 2 * indent) - indent)
        Terminal.print(front + lines.joined(separator: "\n" + String(repeating: " ", count: indent)))
    }
}
