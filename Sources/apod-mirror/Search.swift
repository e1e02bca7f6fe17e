import Apod
import Archive
import Catalog
import Configuration
import Control

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

    private func show(_ finding: SearchResult) {
        let path = "\(settings.root)/\(finding.path)"
        // A program opens what it is told; a person reads it.
        guard Terminal.isOutputInteractive else { return Terminal.print(exactly: path) }
        Terminal.print(path)
        Terminal.print(marked: "    " + finding.excerpt)
    }
}
