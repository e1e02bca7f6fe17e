import Configuration

/// The sub-commands.
enum Command: String, CaseIterable {
    case run, sync, status, favorites, search, show, open, revert, verify, prune, thumbnails, serve, config

    /// The commands, and `help`.
    static let names = allCases.map(\.rawValue) + ["help"]

    /// Whether the command goes on with the right settings where others have mistakes.
    var toleratesMistakes: Bool { [.status, .search, .show, .open, .serve, .favorites].contains(self) }

    static let limits = ["keep", "max-total"]

    /// The settings that are options: those that the command uses with and without a service.
    var settings: [String] {
        switch self {
        case .run, .config: Setting.all.map(\.key)
        case .sync: ["since"] + Setting.fetchKeys + Setting.place
        case .prune: Self.limits + Setting.place
        case .serve: ["web-names"] + Setting.place
        default: Setting.place
        }
    }

    struct Option {
        let name: String
        /// The value's placeholder in `help`; nil if there is none.
        let value: String?
        let help: String

        init(_ name: String, _ help: String, taking value: String? = nil) {
            (self.name, self.value, self.help) = (name, value, help)
        }

        var usage: String { "--\(name)\(value.map { " \($0)" } ?? "")" }
    }

    /// The command's options besides settings.
    var ownOptions: [Option] {
        let json = Option("json", "for programs: one JSON document on standard output")
        let paths = Option("paths", "nothing but the path of each day's file")
        return switch self {
        case .sync: [Option("until", "up to this day, instead of today", taking: "DATE")]
        case .status, .show: [json]
        case .favorites:
            [
                Option("album", "add: in this folder of `favorites`", taking: "NAME"),
                Option("since", "restore: all links that went since then", taking: "TIME"), paths, json,
            ]
        case .search: [paths, json]
        case .verify: [Option("repair", "fetch again what is damaged or missing"), json]
        case .prune: [Option("dry-run", "list what would be deleted, and do nothing")]
        case .config: [Option("check", "only say what is wrong with them")]
        case .thumbnails: [json]
        case .serve:
            [
                Option("listen", "where, by default 127.0.0.1:8095", taking: "ADDRESS"),
                Option("allow", "let in others than private networks; can be repeated", taking: "NETWORK"),
            ]
        case .run, .open, .revert: []
        }
    }

    /// Own options without a value.
    var flags: [String] { ownOptions.filter { $0.value == nil }.map(\.name) }

    /// Own options with a value.
    var options: [String] { ownOptions.filter { $0.value != nil }.map(\.name) }

    /// The placeholder in `help` for words after the command; nil if it takes none.
    var words: String? {
        switch self {
        case .sync, .thumbnails: "[DATE…]"
        case .revert: "DATE"
        case .search: "WORDS"
        case .favorites: "[COMMAND]"
        case .show, .open: "[DATE|PATH|latest]"
        case .run, .status, .verify, .prune, .serve, .config: nil
        }
    }

    var summary: String {
        switch self {
        case .run: "the service: fetch each day, watch favorites, prune"
        case .sync: "fetch what is missing, or these days"
        case .status: "what is there, what is missing and why"
        case .favorites: "list the favorites; add, remove and restore them"
        case .search: "find days by title and explanation"
        case .show: "a day's title, credit, text and files"
        case .open: "open a day's picture"
        case .revert: "bring back what a correction replaced"
        case .verify: "check every file"
        case .prune: "delete now what `keep` and `max-total` do not allow"
        case .thumbnails: "make the smaller copies of pictures that are missing"
        case .serve: "answer browsers and other programs on the web"
        case .config: "the settings in force, and where each comes from"
        }
    }
}

/// What the program returns to the shell.
enum ExitStatus: Int32 {
    case done = 0
    /// Something could not be done; standard error says what.
    case incomplete = 1
    case usage = 2
}
