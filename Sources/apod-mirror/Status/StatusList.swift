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
