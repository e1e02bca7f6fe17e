/// The lines of `status`: a table, and lists below it.
enum StatusLine {
    typealias Cell = (name: String, words: String)

    private static let mostListed = 10
    private static let mostColumns = 80

    static func show(_ lines: [Cell]) {
        for (name, words) in lines {
            show(words, behind: name + String(repeating: " ", count: max(1, 14 - name.count)))
        }
    }

    /// `total`: how many things there are; `lines` may have only some of them. The remedy comes last.
    static func show(_ title: String, above lines: [String], of total: Int, _ remedy: String?) {
        Terminal.print("")
        show(lines.isEmpty && remedy == nil ? title : title + ":", behind: "", hanging: 4)
        for line in lines.prefix(mostListed) { show(line, behind: "  ", hanging: 2) }
        let more = total - min(lines.count, mostListed)
        let lists = total > lines.count ? "lists some" : "lists them"
        if more > 0 { show("and \(more) more; `apod-mirror status --json` \(lists)", behind: "  ") }
        if let remedy { show(remedy, behind: "  ") }
    }

    /// Prints `front` and `words`, wrapped and indented; each line of `words` begins a row.
    private static func show(_ words: String, behind front: String, hanging: Int = 0) {
        let words = Terminal.completed(words)
        let columns = min(mostColumns, Terminal.outputWidth)
        let text = Lines.behind(front, hanging: hanging, columns: columns) { Lines.wrapped(message: words, to: $0) }
        Terminal.print(text)
    }
}
