/// A list below the table of `status`.
struct StatusList {
    private let title: String
    private let advice: String?
    private let lines: [String]
    /// How many things there are; `lines` may have only some.
    private let total: Int

    private static let most = 10

    init(_ title: String, _ lines: [String], of total: Int? = nil, advice: String?) {
        (self.title, self.lines, self.advice) = (title, lines, advice)
        self.total = total ?? lines.count
    }

    func show() {
        Terminal.print("")
        let heading = title + (advice.map { "; \($0)" } ?? "")
        if lines.isEmpty { return StatusLine.show(heading, behind: "", 0) }
        StatusLine.show(heading + ":", behind: "", 0)
        for line in lines.prefix(Self.most) { StatusLine.show(line, behind: "  ", 2) }
        let more = total - min(lines.count, Self.most)
        let lists = total > lines.count ? "lists some" : "lists them"
        if more > 0 { StatusLine.show("and \(more) more; `apod-mirror status --json` \(lists)", behind: "  ", 2) }
    }
}

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
