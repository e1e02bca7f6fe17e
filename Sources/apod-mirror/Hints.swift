import Apod
import Configuration
import Control
import Files

/// The settings that a command was given, for the commands that its messages name: typed as they are printed, those are
/// about the same mirror, and do what is promised.
struct Hints: Sendable {
    private var root = ""
    /// The last value of each, ready for a shell.
    private var options: [(key: String, value: String)] = []
    private var isService = false
    /// Whether there is a service, which goes by settings of its own; looked for once, where that matters.
    private var isServed: Bool?

    /// With nothing to add.
    init() {}

    /// `kept`: the root that a service keeps, where the settings name another.
    init(_ usage: Usage, _ command: Command, _ settings: Settings, kept: String? = nil) {
        root = settings.root
        isService = command == .run
        if let kept { options.append(("root", Self.isPlain(kept) ? kept : Text.quoted(kept))) }
        if usage.configurationFile == nil, usage.settings.isEmpty { return }
        let (given, usual) = (Self.settings(in: usage.configurationFile), Self.settings(in: nil))
        let file = given != nil && given == usual ? nil : usage.configurationFile
        for (key, value) in (file.map { [(key: "config", value: $0)] } ?? []) + usage.settings {
            options.removeAll { $0.key == key }
            if Self.isNeedless(key, settings, beside: given) { continue }
            // Also from another folder than the one that this is typed in.
            let value =
                switch key {
                case "root": settings.root
                case "state": settings.state ?? value
                case "config": FileSystem.resolved(value.utf8).map { String(decoding: $0, as: UTF8.self) } ?? value
                default: value
                }
            options.append((key, Self.isPlain(value) ? value : Text.quoted(value)))
        }
    }

    /// Those in force where no option names any.
    private static func settings(in file: String?) -> Settings? {
        let environment = Environment.current
        let configuration = Configuration(arguments: [], environment: environment, file: file)
        return configuration.refusal(of: .place) == nil ? configuration.settings : nil
    }

    /// Whether it would be the same without the option. For `sync`, a range of its own is more than the setting.
    private static func isNeedless(_ key: String, _ settings: Settings, beside others: Settings?) -> Bool {
        guard key != "since", let others, let setting = Setting.all.first(where: { $0.key == key }) else {
            return false
        }
        return setting.show(settings) == setting.show(others)
    }

    /// The text with them behind each command that stands in backticks.
    mutating func completed(_ text: String) -> String {
        if options.isEmpty { return text }
        // By bytes: a backtick and what joins it can be one character.
        let parts = text.utf8.split(separator: UInt8(ascii: "`"), omittingEmptySubsequences: false)
        var done: [String] = []
        for (index, part) in parts.enumerated() {
            let part = Substring(part)
            done.append(parts.indices.dropFirst().dropLast().contains(index) ? completed(command: part) : String(part))
        }
        return done.joined(separator: "`")
    }

    private mutating func completed(command text: Substring) -> String {
        let words = text.split(separator: " ").map(String.init)
        guard text.hasPrefix("apod-mirror "), words.count > 1, let command = Command(rawValue: words[1]) else {
            return String(text)
        }
        var completed = String(text)
        for (key, value) in options where !words.contains("--\(key)") {
            if takes(key, command, words) { completed += " --\(key) \(value)" }
        }
        return completed
    }

    private mutating func takes(_ key: String, _ command: Command, _ words: [String]) -> Bool {
        let namesDays = words.contains { $0 == "DATE" || Day($0) != nil }
        return switch key {
        case "root", "state", "config": true
        // Of the others, none does anything else because of it.
        case "since": command == .sync ? !namesDays : [.run, .config].contains(command)
        default: !Self.isJob(command, words) || !findsService()
        }
    }

    private mutating func findsService() -> Bool {
        let isServed =
            isServed ?? (isService || ControlClient.status(root: root, environment: Environment.current) != nil)
        self.isServed = isServed
        return isServed
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
