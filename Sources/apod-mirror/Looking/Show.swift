import Apod
import Configuration
import Files
import Store
import Upstream

/// `apod-mirror show`
struct Show {
    static let command = Command(
        name: "show", words: DayFinder.words, summary: "a day's title, credit, text and files",
        explanation: """
            Shows a day's title, credit and text, and where its files are.
            \(DayFinder.explanation)
            """,
        options: [Option("changes", "what was corrected: [-words that went-] {+words that came+}"), .json],
        toleratesMistakes: true
    ) { try Show($0, $1).run() }

    private typealias Option = Command.Option

    private let key: Key?
    private let settings: Settings
    private let finder: DayFinder
    private let asJSON: Bool
    private let ofChanges: Bool

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        key = try DayFinder.key(usage)
        settings = configuration.settings
        finder = DayFinder(settings: settings)
        asJSON = usage.has("json")
        ofChanges = usage.has("changes")
    }

    func run() throws -> ExitStatus {
        guard let document = try finder.find(key) else { return .incomplete }
        if asJSON { Terminal.print(json(document)) } else if ofChanges { showChanges(document) } else { show(document) }
        return .done
    }

    private func show(_ document: Document) {
        let width = Terminal.outputWidth
        var parts = [["\(document.key)  \(Text.shown(document.title))"]]
        if let credit = document.credit {
            parts[0] += Lines.wrapped("Credit: \(credit)", to: width)
        }
        parts.append(Lines.wrapped(text(document), to: width))
        if let words = linkedFrom(document.key).flatMap(Self.words(linkedFrom:)) {
            parts.append(Lines.wrapped(words, to: width))
        }
        let files = document.files.map { line($0, document) }
        parts.append(files.isEmpty ? Lines.wrapped(message: finder.lack(of: document), to: width) : files)
        var replaced = Replacement.all(root: settings.root, of: document).map(\.words)
        if !replaced.isEmpty, document.key.list == nil {
            replaced.append("`apod-mirror revert \(document.key)` brings back what was replaced last.")
        }
        parts.append(replaced.flatMap { Lines.wrapped(message: $0, to: width) })
        Terminal.print(parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n"))
    }

    private func showChanges(_ document: Document) {
        let changes = (try? Folder.open(settings.root)).map { Change.all(of: document, in: $0) } ?? []
        if changes.isEmpty { return Terminal.print("nothing of \(document.key) was changed") }
        for change in changes {
            Terminal.print("\(Time.local(change.moment))")
            for replacement in change.replacements where replacement.former != nil {
                Terminal.print(Lines.wrapped(replacement.words, to: Terminal.outputWidth).joined(separator: "\n"))
            }
            for (field, changes) in change.texts {
                let words = changes.parts.map { part in
                    switch part.kind {
                    case .kept: part.words
                    case .gone: "[-\(part.words)-]"
                    case .new: "{+\(part.words)+}"
                    }
                }
                let text = "\(field): \(words.joined(separator: " "))"
                Terminal.print(Lines.wrapped(Text.shown(text), to: Terminal.outputWidth).joined(separator: "\n"))
            }
            Terminal.print("")
        }
    }

    /// The explanation, with the dates of the days that its links lead to.
    private func text(_ document: Document) -> String {
        LinkedText(document.explanation, in: document.record).parts.map { part in
            switch part {
            case .words(let words): words
            case .link(let words, let address): words + (Day(article: address).map { " (\($0))" } ?? "")
            }
        }.joined()
    }

    /// The days whose texts lead to this one, newest first; nil where the catalog cannot be read.
    private func linkedFrom(_ key: Key) -> [Day]? {
        guard let day = key.day else { return [] }
        return settings.mayReadCatalog ? try? settings.catalogToRead()?.days(speakingOf: day) : nil
    }

    private static let mostLinked = 8

    private static func words(linkedFrom days: [Day]) -> String? {
        if days.isEmpty { return nil }
        let more = days.count - mostLinked
        let shown = days.prefix(mostLinked).map(\.description)
        return "Linked from \(more > 0 ? "\(shown.joined(separator: ", ")) and \(more) more" : Text.names(shown))."
    }

    private func line(_ file: StoredFile, _ document: Document) -> String {
        let path = document.path(of: file, in: settings.root)
        var facts = [file.role.word, Size.text(file.bytes)]
        if let width = file.width, let height = file.height { facts.append("\(width) × \(height)") }
        if file.isOfNeighbour { facts.append("from another mirror, not yet compared with NASA's") }
        if !document.has(file, in: settings.root) {
            facts.append("damaged or missing: `apod-mirror verify --repair` fetches it again")
        }
        return "\(Text.shown(path))  (\(facts.joined(separator: ", ")))"
    }

    private func json(_ document: Document) -> JSON {
        .sparse(
            document.key.members(id: document.text("id")) + [
                ("title", .string(document.title)),
                ("credit", .optional(document.text("credit"))),
                ("copyright", .optional(document.text("copyright"))),
                ("explanation", .string(document.explanation)),
                ("permalink", .optional(document.text("permalink"))),
                ("linked_from", linkedFrom(document.key).map { .array($0.map(JSON.day)) } ?? .null),
                ("files", .array(document.files.map { json($0, document) })),
                ("replaced", .array(Replacement.all(root: settings.root, of: document).map(json))),
            ])
    }

    private func json(_ replacement: Replacement) -> JSON {
        guard let file = replacement.former else {
            return .object([("replaced", .moment(replacement.moment)), ("role", .string("text"))])
        }
        return .object([
            ("replaced", .moment(replacement.moment)), ("role", .string(file.role.word)),
            ("type", .string(file.type.rawValue)), ("bytes", .integer(file.bytes)),
            ("width", .optional(file.width)), ("height", .optional(file.height)),
            ("smaller", .bool(replacement.isMuchSmaller)),
        ])
    }

    private func json(_ file: StoredFile, _ document: Document) -> JSON {
        .sparse([
            ("path", .string(document.path(of: file, in: settings.root))),
            ("role", .string(file.role.word)),
            ("type", .string(file.type.rawValue)),
            ("bytes", .integer(file.bytes)),
            ("here", .bool(document.has(file, in: settings.root))),
            ("width", .optional(file.width)),
            ("height", .optional(file.height)),
            ("neighbour", file.isOfNeighbour ? .bool(true) : nil),
        ])
    }
}

extension Replacement {
    fileprivate var words: String {
        let date = Time.day(moment)
        guard let former else { return "On \(date), its text was replaced." }
        let by = present.map { " by \(Self.size($0))\(isMuchSmaller ? ", a much smaller one" : "")" } ?? ""
        return "On \(date), the \(former.role.word) of \(Self.size(former)) was replaced\(by)."
    }

    private static func size(_ file: StoredFile) -> String {
        let pixels = file.width.flatMap { width in file.height.map { "\(width) × \($0), " } } ?? ""
        return pixels + Size.text(file.bytes)
    }
}
