import Apod
import Configuration
import Files

/// The settings that a command was given, for the commands that its messages name: typed as they are printed, those are
/// about the same mirror, and do what is promised.
struct Hints: Sendable {
    /// The last value of each, ready for a shell.
    private var options: [(key: String, value: String)] = []
    /// With nothing to add.
    init() {}

    init(_ usage: Usage, _ settings: Settings) {
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
    func completed(_ text: String) -> String {
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

    private func completed(command text: Substring) -> String {
        let words = text.split(separator: " ").map(String.init)
        guard text.hasPrefix("apod-mirror "), words.count > 1, let command = Command(rawValue: words[1]) else {
            return String(text)
        }
        var completed = String(text)
        for (key, value) in options where !words.contains("--\(key)") {
            if Self.takes(key, command, words) { completed += " --\(key) \(value)" }
        }
        return completed
    }

    private static func takes(_ key: String, _ command: Command, _ words: [String]) -> Bool {
        switch key {
        case "config": true
        case "since" where command == .sync: !words.contains { $0 == "DATE" || Day($0) != nil }
        case "keep" where command == .prune, "max-total" where command == .prune: words.contains("--dry-run")
        default: command.settings.contains(key)
        }
    }

    private static func isPlain(_ value: String) -> Bool { value.wholeMatch(of: /[A-Za-z0-9\/._:@%+=,-]+/) != nil }
}
