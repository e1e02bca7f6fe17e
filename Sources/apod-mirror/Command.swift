import Configuration

/// A sub-command, described in the file of the type that runs it. `Usage` reads the command line by these descriptions, and
/// `Help` shows them, also to the completions.
struct Command: Sendable {
    let name: String
    /// The placeholder in `help` for words after the command; nil if it takes none.
    var words: String?
    let summary: String
    let explanation: String
    /// What its first word may be, such as `add` of `favorites`. The first of them needs no word.
    var actions: [Subcommand] = []
    /// The command's options besides settings.
    var options: [Option] = []
    /// Settings that mean something of their own to the command.
    var explained: [Option] = []
    /// The keys of the other settings that are options: those that the command uses with and without a service.
    var others = Setting.place
    /// Whether the command goes on with the right settings where others have mistakes.
    var toleratesMistakes = false
    var mirror = Mirror.found
    let run: @Sendable (Usage, Configuration) async throws -> ExitStatus

    struct Option {
        let name: String
        /// The value's placeholder in `help`; nil if there is none.
        let value: String?
        let help: String

        init(_ name: String, _ help: String, taking value: String? = nil) {
            (self.name, self.value, self.help) = (name, value, help)
        }

        static let json = Option("json", "for programs: one JSON document on standard output")
        static let paths = Option("paths", "only the path of each day's file")

        var usage: String { "--\(name)\(value.map { " \($0)" } ?? "")" }
    }

    struct Subcommand {
        let name: String
        let usage: String
        let summary: String
        /// The options that it takes, of the command's own.
        let options: [String]
    }

    /// What a command does about the mirror in the root.
    enum Mirror { case begun, found, unused }

    /// The settings that are options.
    var settings: [String] { explained.map(\.name) + others }

    var takesAllSettings: Bool { settings == Setting.all.map(\.key) }
}

extension [Command] {
    /// The commands, and `help`.
    var names: [String] { map(\.name) + ["help"] }

    func named(_ name: String) -> Command? { first { $0.name == name } }
}

/// What the program returns to the shell.
enum ExitStatus: Int32 {
    case done = 0
    /// Something could not be done; standard error says what.
    case incomplete = 1
    case usage = 2
}
