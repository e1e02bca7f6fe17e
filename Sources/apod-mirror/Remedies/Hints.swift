import Apod
import Configuration
import Files

/// How the commands in messages are to be typed: with sudo where the system's service asks for it, and with the command
/// line's options that name a mirror, so that they are about the same one.
struct Hints: Sendable {
    /// nil before the settings are read.
    private var root: String?
    /// Quoted for a shell; empty without such options.
    private var options = ""

    init() {}

    init(_ usage: Usage, _ settings: Settings) {
        root = settings.root
        if let file = usage.configurationFile, !Self.isUsual(file) {
            // Absolute, to be right in every folder.
            let path = FileSystem.resolved(file).map(\.text) ?? file
            options += " --config \(Self.quoted(path))"
        }
        let given = Set(usage.settings.map(\.key))
        if given.contains("root") { options += " --root \(Self.quoted(settings.root))" }
        if given.contains("state"), let state = settings.state { options += " --state \(Self.quoted(state))" }
    }

    /// Whether the file is also read without `--config`.
    private static func isUsual(_ file: String) -> Bool {
        Configuration(arguments: [], environment: Environment.current, file: nil).file == file
    }

    /// Completes each command in backticks. What is complete stays as it is.
    func completed(_ text: String) -> String {
        // By bytes: a backtick and what joins it can be one character.
        let parts = text.utf8.split(separator: "`", omittingEmptySubsequences: false).map { String($0)! }
        return parts.enumerated().map { index, part in
            let isCommand = index % 2 == 1 && index + 1 < parts.count && part.hasPrefix("apod-mirror ")
            return isCommand && !part.hasPrefix("apod-mirror help") ? typed(part) : part
        }.joined(separator: "`")
    }

    private func typed(_ command: String) -> String {
        let takesSudo = Self.isOwners(command) && root.map { Keeping($0).commands.isSystems } ?? false
        return (takesSudo ? "sudo " : "") + command + (command.hasSuffix(options) ? "" : options)
    }

    /// Whether the service does it for the mirror's owner and root alone (`Asker`).
    static func isOwners(_ command: String) -> Bool {
        let words = command.split(separator: " ").dropFirst()
        return words.count == 1 && ["prune", "sync"].contains(words.last) || words.first == "revert" && words.count > 1
            || words == ["verify", "--repair"] || words.starts(with: ["sync", "--list"])
    }

    private static let plain = ASCIISet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._:@%+=,-")

    private static func quoted(_ value: String) -> String {
        !value.isEmpty && value.utf8.allSatisfy(plain.contains) ? value : Text.quoted(value)
    }
}
