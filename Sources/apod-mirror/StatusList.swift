/// Things of one kind, which `status` tells below its table.
struct StatusList {
    let title: String
    /// Each line tells of so many things.
    var lines: [(words: String, count: Int)]
    /// There are so many more.
    var others = 0
    /// Where all of them are.
    var all: String? = Self.everywhere

    static let everywhere = "`apod-mirror status --json` lists all"

    init(_ title: String, _ lines: [String]) {
        self.title = title
        self.lines = lines.map { ($0, 1) }
    }

    private var count: Int { lines.reduce(others) { $0 + $1.count } }

    /// With no more than so many lines.
    private func shown(_ most: Int) -> (title: String, lines: [String]) {
        let left = lines.dropFirst(most).reduce(others) { $0 + $1.count }
        let more = left > 0 ? ["and \(left) more" + (all.map { "; \($0)" } ?? "")] : []
        return ("\(title):", lines.prefix(most).map(\.words) + more)
    }

    /// What fits into so many rows: many things of one kind, or some of each; at the least, of which kind there are some.
    static func show(_ lists: [StatusList], rows: Int) {
        let lists = lists.filter { !$0.lines.isEmpty }
        for most in [10, 6, 4, 3, 2, 1] {
            let shown = lists.map { $0.shown(most) }
            guard shown.reduce(0, { $0 + 1 + height($1) }) <= rows else { continue }
            for list in shown {
                Terminal.print("")
                show(list)
            }
            return
        }
        showFirst(lists, rows: rows)
    }

    /// One line of each, and in the last row, of which other kinds there are some.
    private static func showFirst(_ lists: [StatusList], rows: Int) {
        var (lists, left) = (lists[...], rows - 1)
        Terminal.print("")
        while let list = lists.first {
            let shown = list.shown(1)
            let others = lists.count > 1 ? StatusLine.rows(summary(of: lists.dropFirst()), behind: 0) : 0
            guard height(shown) + others <= left else { break }
            show(shown)
            left -= height(shown)
            lists.removeFirst()
        }
        if !lists.isEmpty { StatusLine.show(summary(of: lists), behind: "", 0) }
    }

    private static func summary(of lists: ArraySlice<StatusList>) -> String {
        let kinds = lists.map { "\($0.title.prefix { $0 != ";" }) (\($0.count))" }
        return "\(kinds.joined(separator: ", ")): \(everywhere)"
    }

    private static func height(_ list: (title: String, lines: [String])) -> Int {
        list.lines.reduce(StatusLine.rows(list.title, behind: 0)) { $0 + StatusLine.rows($1, behind: 2) }
    }

    private static func show(_ list: (title: String, lines: [String])) {
        StatusLine.show(list.title, behind: "", 0)
        for line in list.lines { StatusLine.show(line, behind: "  ", 2) }
    }
}
