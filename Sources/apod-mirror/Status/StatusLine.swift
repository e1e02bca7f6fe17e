/// The lines of `status`: a table, and lists below it.
enum StatusLine {
    private static let mostListed = 10

    static func show(_ lines: [(name: String, words: String)]) {
        for (name, words) in lines {
            show(words, behind: name + String(repeating: " ", count: max(1, 14 - name.count)))
        }
    }

    /// `total`: how many things there are; `lines` may have only some of them.
    static func show(_ title: String, above lines: [String], of total: Int) {
        Terminal.print("")
        show(lines.isEmpty ? title : title + ":", behind: "")
        for line in lines.prefix(mostListed) { show(line, behind: "  ") }
        let more = total - min(lines.count, mostListed)
        let lists = total > lines.count ? "lists some" : "lists them"
        if more > 0 { show("and \(more) more; `apod-mirror status --json` \(lists)", behind: "  ") }
    }

    /// Prints `front` and `words`; on a terminal, long words are wrapped and indented.
    private static func show(_ words: String, behind front: String) {
        guard Terminal.isOutputInteractive else { return Terminal.print(front + words) }
        let words = Terminal.completed(words)
        Terminal.print(Lines.behind(front) { Lines.wrapped(message: words, to: $0) })
    }
}
