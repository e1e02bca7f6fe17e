import Apod
import Configuration
import Files

/// Which mirror a command was told to be about, for the commands that its messages name: typed as they are printed, those
/// are about the same one.
struct Hints: Sendable {
    /// Ready for a shell; empty where nothing was said.
    private var options = ""

    init() {}

    init(_ usage: Usage, _ settings: Settings) {
        if let file = usage.configurationFile, !Self.isUsual(file) {
            // Also from another folder than the one that this is typed in.
            let path = FileSystem.resolved(file.utf8).map { String(decoding: $0, as: UTF8.self) } ?? file
            options += " --config \(Self.quoted(path))"
        }
        let given = Set(usage.settings.map(\.key))
        if given.contains("root") { options += " --root \(Self.quoted(settings.root))" }
        if given.contains("state"), let state = settings.state { options += " --state \(Self.quoted(state))" }
    }

    /// It is read anyhow.
    private static func isUsual(_ file: String) -> Bool {
        Configuration(arguments: [], environment: Environment.current, file: nil).file == file
    }

    /// The text with them at the end of each command that stands in backticks.
    func completed(_ text: String) -> String {
        if options.isEmpty { return text }
        // By bytes: a backtick and what joins it can be one character.
        let parts = text.utf8.split(separator: UInt8(ascii: "`"), omittingEmptySubsequences: false).map { String($0)! }
        return parts.enumerated().map { index, part in
            let isCommand = index % 2 == 1 && index + 1 < parts.count && part.hasPrefix("apod-mirror ")
            return isCommand && !part.hasPrefix("apod-mirror help") ? part + options : part
        }.joined(separator: "`")
    }

    private static func quoted(_ value: String) -> String {
        value.wholeMatch(of: /[A-Za-z0-9\/._:@%+=,-]+/) != nil ? value : Text.quoted(value)
    }
}
