import Apod
import Configuration

/// The texts of `help` and `--help`.
enum Help {
    static func text(on topic: HelpTopic, of commands: [Command]) -> String {
        switch topic {
        case .everything: overview(commands)
        case .settings: settings
        case .command(let command, let action): text(on: command, action)
        }
    }

    private static func overview(_ commands: [Command]) -> String {
        let rows =
            commands.map { ([$0.name, $0.words].compactMap(\.self).joined(separator: " "), $0.summary) }
            + [("help [COMMAND]", "the options of a command")]
        return """
            apod-mirror keeps a folder of NASA's Astronomy Picture of the Day.

            usage: apod-mirror COMMAND [OPTION…]

            \(table(rows))

            More: \(more).
            --version prints the version.
            Exit status: 0 all done, 1 something failed, 2 wrong usage or settings.
            """
    }

    /// `action`: the only one to explain, with its options.
    private static func text(on command: Command, _ action: Command.Subcommand?) -> String {
        let (actions, own) = (action.map { [$0] } ?? command.actions, action?.options)
        let options = (command.explained + command.options).filter { own?.contains($0.name) != false }
            .map { ($0.usage, $0.help) }
        let tables = [actions.map { ($0.name, $0.summary) }, options].map { $0.isEmpty ? [] : [table($0)] }
        let parts = [usage(of: command, actions)] + tables[0] + [command.explanation] + tables[1] + [hint(on: command)]
        return parts.joined(separator: "\n\n")
    }

    private static let more = "`apod-mirror help settings`, `man apod-mirror`"

    private static func hint(on command: Command) -> String {
        let fetching = Setting.fetchKeys.filter(command.settings.contains).map { "--\($0)" }.joined(separator: ", ")
        let place = "--root, --state and --config say which mirror is meant"
        let hint =
            command.takesAllSettings
            ? "Every setting is an option, too" : place + (fetching.isEmpty ? "" : ", and \(fetching) how to fetch")
        return Lines.wrapped("\(hint): \(more).", to: width).joined(separator: "\n")
    }

    private static var width: Int { Terminal.outputWidth }

    /// Two columns; the second is wrapped.
    private static func table(_ rows: [(String, String)]) -> String {
        let indent = (rows.map(\.0.count).max() ?? 0) + 4
        return rows.map { name, words in
            let lines = Lines.wrapped(message: words, to: max(width - indent, 30))
            let gap = String(repeating: " ", count: indent)
            return String(("  " + name + gap).prefix(indent)) + lines.joined(separator: "\n" + gap)
        }.joined(separator: "\n")
    }

    private static func usage(of command: Command, _ actions: [Command.Subcommand]) -> String {
        let options = (command.explained + command.options).map { "[\($0.usage)]" }
        let plain = ([command.words].compactMap(\.self) + options).joined(separator: " ")
        let uses = actions.isEmpty ? [plain] : actions.map(\.usage)
        return "usage: "
            + uses.map { "apod-mirror \(command.name)\($0.isEmpty ? "" : " \($0)")" }.joined(separator: "\n       ")
    }

    private static let lists = """
        In a file, `list.NAME = LIST` adds a list of other pictures: \
        \(PictureList.known.map { "\($0.name)" }.joined(separator: ", ")), or the address of a list in JSON. \
        `list.NAME.keep = NUMBER` keeps only its newest, `list.NAME.cover = ADDRESS` is its own picture, \
        and `list.NAME.FIELD = PATH` says where to find a field: see `man apod-mirror`.
        """

    private static var settings: String {
        let defaults = Settings(root: "~/Pictures/APOD")
        let options =
            Setting.all.map { ("--\($0.key) \($0.value)", "\($0.help) (\($0.show(defaults)))") }
            + [("--config FILE", "read this file instead")]
        return """
            Settings, with their defaults in parentheses. Write them as `key = value` into
            ~/.config/apod-mirror.conf or, without that file, /etc/apod-mirror.conf, or into
            the environment (APOD_MIRROR_MAX_FILE=1G). A file describes one mirror: when
            --root names another, the file is ignored. `run` and `config` take all settings
            as options, `sync` those of fetching, every command --root, --state and
            --config. `apod-mirror config` shows the settings in force.

            \(table(options))

            \(Lines.wrapped(lists, to: width).joined(separator: "\n"))

            A SIZE is written as 50G, 50 GB or 7.1 GB (in thousands), or as 50GiB (in steps
            of 1024). A SPAN is 90d, 12m or 5y (days, months, years).
            """
    }
}
