/// Things of one kind, which `status` tells below its table.
struct StatusList {
    let title: String
    /// What to do about them.
    let advice: String?
    /// Each line tells of so many things.
    var lines: [(words: String, count: Int)]
    /// There are so many more.
    var others = 0
    /// Where all of them are.
    var all: String? = "`apod-mirror status --json` lists all"

    init(_ title: String, _ lines: [(words: String, count: Int)], advice: String? = nil) {
        self.title = title
        self.lines = lines
        self.advice = advice
    }

    init(_ title: String, _ lines: [String], advice: String? = nil) {
        self.init(title, lines.map { ($0, 1) }, advice: advice)
    }

    private var count: Int { lines.reduce(others) { $0 + $1.count } }

    /// With no more than so many lines.
    private func shown(_ most: Int) -> [(words: String, indent: Int)] {
        let left = lines.dropFirst(most).reduce(others) { $0 + $1.count }
        let more = left > 0 ? ["and \(left) more" + (all.map { "; \($0)" } ?? "")] : []
        let heading = title + (advice.map { "; \($0)" } ?? "") + ":"
        return [(heading, 0)] + (lines.prefix(most).map(\.words) + more).map { ($0, 2) }
    }

    private static let most = 10

    /// What fits into so many rows: many things of one kind, or some of each; at the least, of which kind there are some.
    /// nil: nobody counts them.
    static func show(_ lists: [StatusList], rows: Int?) {
        let lists = lists.filter { !$0.lines.isEmpty }
        if lists.isEmpty { return }
        for most in [most, 6, 4, 3, 2, 1] {
            let shown = lists.map { $0.shown(most) }
            if let rows, shown.reduce(0, { $0 + 1 + height($1) }) > rows { continue }
            for list in shown {
                Terminal.print("")
                show(list)
            }
            return
        }
        showFirst(lists, rows: rows ?? 0)
    }

    /// One line of each, and in the last row, of which other kinds there are some.
    private static func showFirst(_ lists: [StatusList], rows: Int) {
        var (lists, left) = (lists[...], rows - 1)
        Terminal.print("")
        while let list = lists.first {
            let shown = list.shown(1)
            let others = lists.count > 1 ? height([(summary(of: lists.dropFirst()), 0)]) : 0
            guard height(shown) + others <= left else { break }
            show(shown)
            left -= height(shown)
            lists.removeFirst()
        }
        if !lists.isEmpty { show([(summary(of: lists), 0)]) }
    }

    private static func summary(of lists: ArraySlice<StatusList>) -> String {
        let kinds = lists.map { "\($0.title) (\($0.count))" }.joined(separator: ", ")
        return "also \(kinds): `apod-mirror status` tells more in a larger window, or through `less`"
    }

    private static func height(_ lines: [(words: String, indent: Int)]) -> Int {
        lines.reduce(0) { $0 + StatusLine.rows($1.words, behind: $1.indent) }
    }

    private static func show(_ lines: [(words: String, indent: Int)]) {
        for (words, indent) in lines { StatusLine.show(words, behind: String(repeating: " ", count: indent), indent) }
    }
}
