import Apod
import Configuration
import Control

/// The settings that a command was given, for the commands that its messages name: typed as they are printed, those are
/// about the same mirror, and do what is promised.
struct Hints: Sendable {
    private var root = ""
    /// The last value of each, ready for a shell.
    private var options: [(key: String, value: String)] = []
    /// Whether the service goes by settings of its own; it is looked for where that matters.
    private var isService = false

    /// With nothing to add.
    init() {}

    init(_ usage: Usage, _ command: Command, _ settings: Settings) {
        root = settings.root
        isService = command == .run
        let file = usage.configurationFile.map { [(key: "config", value: $0)] } ?? []
        for (key, value) in file + usage.settings {
            options.removeAll { $0.key == key }
            // Also from another folder than the one that this is typed in.
            let value = key == "root" ? settings.root : key == "state" ? settings.state ?? value : value
            options.append((key, Self.isPlain(value) ? value : Text.quoted(value)))
        }
    }

    /// The text with them behind each command that stands in backticks.
    func completed(_ text: String) -> String {
        if options.isEmpty { return text }
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { $0 % 2 == 1 ? completed(command: $1) : String($1) }.joined(separator: "`")
    }

    private func completed(command text: Substring) -> String {
        let words = text.split(separator: " ").map(String.init)
        guard words.first == "apod-mirror", words.count > 1, let command = Command(rawValue: words[1]) else {
            return String(text)
        }
        let added = options.filter { key, _ in !words.contains("--\(key)") && takes(key, command, words) }
        return added.reduce(String(text)) { "\($0) --\($1.key) \($1.value)" }
    }

    private func takes(_ key: String, _ command: Command, _ words: [String]) -> Bool {
        let namesDays = words.contains { $0 == "DATE" || Day($0) != nil }
        return switch key {
        case "root", "state", "config": true
        case "since" where command == .favorites || command == .sync && namesDays: false
        case "since" where command == .sync: true
        default: !Self.isJob(command, words) || !isServed
        }
    }

    private var isServed: Bool {
        isService || ControlClient.status(root: root, environment: Environment.current) != nil
    }

    /// A running service does it, by the settings that it has read itself.
    private static func isJob(_ command: Command, _ words: [String]) -> Bool {
        switch command {
        case .sync, .prune: !words.contains("--dry-run")
        case .verify: words.contains("--repair")
        case .favorites: words.count > 2 && !["list", "history"].contains(words[2])
        case .thumbnails: true
        case .run, .status, .search, .show, .open, .config: false
        }
    }

    private static func isPlain(_ value: String) -> Bool { value.wholeMatch(of: /[A-Za-z0-9\/._:@%+=,-]+/) != nil }
}
