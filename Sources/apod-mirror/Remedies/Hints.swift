import Apod
import Configuration
import Files

/// The command line's options that name a mirror. They are added to commands in messages, which are then about the same
/// mirror.
struct Hints: Sendable {
    /// Quoted for a shell; empty without such options.
    private var options = ""

    init() {}

    init(_ usage: Usage, _ settings: Settings) {
        if let file = usage.configurationFile, !Self.isUsual(file) {
            // Absolute, to be right in every folder.
            let path = FileSystem.resolved(file).map { String(decoding: $0, as: UTF8.self) } ?? file
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

    /// Adds the options to each command in backticks.
    func completed(_ text: String) -> String {
        if options.isEmpty { return text }
        // By bytes: a backtick and what joins it can be one character.
        let parts = text.utf8.split(separator: UInt8(ascii: "`"), omittingEmptySubsequences: false).map { String($0)! }
        return parts.enumerated().map { index, part in
            let isCommand = index % 2 == 1 && index + 1 < parts.count && part.hasPrefix("apod-mirror ")
            return isCommand && !part.hasPrefix("apod-mirror help") && !part.hasSuffix(options) ? part + options : part
        }.joined(separator: "`")
    }

    private static func quoted(_ value: String) -> String {
        value.wholeMatch(of: /[A-Za-z0-9\/._:@%+=,-]+/) != nil ? value : Text.quoted(value)
    }
}
