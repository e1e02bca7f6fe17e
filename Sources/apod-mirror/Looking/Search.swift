import Apod
import Configuration
import Service
import Store

/// `apod-mirror search`
struct Search {
    static let command = Command(
        name: "search", words: "WORDS", summary: "find pictures by title and explanation",
        explanation: """
            Lists the days whose title or explanation has all the words, best first, and
            then pictures of other lists. The last word may be incomplete. It fails if
            nothing is found.
            """,
        options: [.paths, .json], toleratesMistakes: true
    ) { try Search($0, $1).run() }

    private let words: [String]
    private let settings: Settings
    private let listing: DayListing

    private static let most = 100

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        words = usage.words.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        settings = configuration.settings
        listing = try usage.listing ?? (Terminal.isOutputInteractive ? .excerpts : .titles)
        guard !words.isEmpty else { throw Usage.Mistake("search for which words?") }
    }

    func run() throws -> ExitStatus {
        guard let findings = try settings.catalogToRead()?.search(words, limit: Self.most) else {
            return try nothingMirrored(in: settings)
        }
        // A list ends with its folder.
        let lists = Archive.lists(root: settings.root)
        show(findings.filter { $0.name.list.map(lists.contains) ?? true })
        if findings.count == Self.most { Terminal.complain("only the best \(Self.most) are shown") }
        return findings.isEmpty ? .incomplete : .done
    }

    private func show(_ findings: [SearchResult]) {
        if listing == .json { return Terminal.print(.array(findings.map(json))) }
        for finding in findings {
            let title = Text.shown(finding.title)
            let front = finding.name.list?.description ?? "\(finding.name.key)"
            switch listing {
            case .paths: Terminal.print(path: path(of: finding))
            case .excerpts:
                show(title, behind: "\(front)  ")
                show(finding.excerpt, behind: "    ")
            case .titles, .json: Terminal.print("\(front)  \(title)")
            }
        }
        guard findings.isEmpty else { return }
        if isMirrorEmpty {
            let advice = Keeping(settings.root).fetching
            Terminal.complain("there is nothing in \(Text.shown(settings.root)) yet; \(advice)")
        } else {
            Terminal.complain("nothing found for “\(words.joined(separator: " "))”")
        }
    }

    private func show(_ words: String, behind front: String) {
        Terminal.print(highlighting: Lines.behind(front) { Lines.wrapped(words, to: $0) })
    }

    private var isMirrorEmpty: Bool {
        do { return try settings.catalogToRead()?.newest() == nil } catch { return false }
    }

    private func path(of finding: SearchResult) -> String { "\(settings.root)/\(finding.path)" }

    private func json(_ result: SearchResult) -> JSON {
        .sparse([
            ("list", result.name.list.map { .string("\($0)") }),
            ("date", result.name.key.day.map(JSON.day)),
            ("title", .string(result.title)),
            ("path", .string(path(of: result))),
            ("excerpt", .string(result.excerpt.replacing("\u{2}", with: "").replacing("\u{3}", with: ""))),
        ])
    }
}
