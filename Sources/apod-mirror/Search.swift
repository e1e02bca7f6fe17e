import Apod
import Archive
import Glibc
import Service

/// `apod-mirror search`
struct Search {
    private let words: [String]
    private let settings: Settings

    private static let most = 100

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        words = usage.words.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        settings = configuration.settings
        guard !words.isEmpty else { throw Usage.Mistake("search for which words?") }
    }

    init(_ words: [String], _ settings: Settings) {
        self.words = words
        self.settings = settings
    }

    func run() -> ExitStatus {
        ServiceReadout.show(.search(words, forPerson: Terminal.isOutputInteractive), settings) ?? look()
    }

    func look() -> ExitStatus {
        do throws(ArchiveError) {
            let findings = try Archive.find(words, limit: Self.most, root: settings.root, state: settings.state)
            guard let findings else { return nothingMirrored(in: settings.root) }
            for finding in findings { show(finding) }
            if findings.isEmpty { Terminal.complain("nothing found for “\(words.joined(separator: " "))”") }
            if findings.count == Self.most { Terminal.complain("only the best \(Self.most) are shown") }
            return .done
        } catch {
            Terminal.complain(error.description)
            return .incomplete
        }
    }

    private func show(_ finding: Finding) {
        let path = "\(settings.root)/\(finding.path)"
        // A program opens what it is told; a person reads it.
        guard Terminal.isOutputInteractive else { return Terminal.print(exactly: path) }
        Terminal.print(path)
        Terminal.print(marked: "    " + finding.excerpt)
    }
}

/// A folder in which nothing was ever mirrored is a mistake more often than not.
func nothingMirrored(in root: String) -> ExitStatus {
    if KnownRoots(environment: Environment.current).haveLost(root) {
        Terminal.complain("\(ArchiveError.away(root: root))")
        return .incomplete
    }
    let root = Text.shown(root)
    if access(root, F_OK) == 0 {
        Terminal.complain(
            "there is no catalog of a mirror in \(root) yet; `apod-mirror sync` makes it from what is there")
    } else {
        Terminal.complain("there is no \(root); if that is right, `apod-mirror sync` makes it")
    }
    return .incomplete
}
