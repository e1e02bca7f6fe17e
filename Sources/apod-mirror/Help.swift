import Configuration

/// The texts of `help` and `--help`.
enum Help {
    static func text(on topic: HelpTopic) -> String {
        switch topic {
        case .everything: overview
        case .settings: settings
        case .command(let command): text(on: command)
        }
    }

    private static var overview: String {
        let commands =
            Command.allCases.map { ([$0.rawValue, $0.words].compactMap(\.self).joined(separator: " "), $0.summary) }
            + [("help [COMMAND]", "the options of a command")]
        return """
            apod-mirror keeps a folder of NASA's Astronomy Picture of the Day.

            usage: apod-mirror COMMAND [OPTION…]

            \(table(commands))

            \(hint)
            --version prints the version.
            Exit status: 0 all done, 1 something failed, 2 wrong usage or settings.
            """
    }

    private static func text(on command: Command) -> String {
        let options = options(of: command).map { ($0.usage, $0.help) }
        let own = options.isEmpty ? [] : [table(options)]
        let parts = [usage(of: command), explanation(of: command)] + own + [hint(on: command)]
        return parts.joined(separator: "\n\n")
    }

    private static let hint = "More: `apod-mirror help settings`, `man apod-mirror`."

    private static func hint(on command: Command) -> String {
        let more = "`apod-mirror help settings`, `man apod-mirror`"
        let place = "--root, --state and --config say which mirror is meant"
        let fetching = Setting.fetchKeys.map { "--\($0)" }.joined(separator: ", ")
        let hint =
            switch command {
            case .run, .config: "Every setting is an option, too: \(more)."
            case .sync: "\(place), and \(fetching) how to fetch: \(more)."
            default: "\(place): \(more)."
            }
        return Lines.wrapped(hint, to: width).joined(separator: "\n")
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

    private static func usage(of command: Command) -> String {
        if command == .favorites {
            return """
                usage: apod-mirror favorites [list] [--paths | --json]
                       apod-mirror favorites add DATE… [--album NAME] [--json]
                       apod-mirror favorites remove DATE… [--json]
                       apod-mirror favorites restore [DATE… | --since TIME] [--json]
                       apod-mirror favorites history [--json]
                """
        }
        let options = options(of: command).map { "[\($0.usage)]" }
        return (["usage: apod-mirror", command.rawValue] + (command.words.map { [$0] } ?? []) + options)
            .joined(separator: " ")
    }

    /// Its own options, and settings with a special meaning.
    private static func options(of command: Command) -> [Command.Option] {
        let since = Command.Option("since", "from this day on, instead of the setting `since`", taking: "DATE")
        let limits = Command.limits.map { Command.Option($0, "with --dry-run: by this value", taking: "VALUE") }
        let names = Command.Option("web-names", "further names of this machine", taking: "NAME")
        let settings: [Command: [Command.Option]] = [.sync: [since], .prune: limits, .serve: [names]]
        return settings[command, default: []] + command.ownOptions
    }

    private static func explanation(of command: Command) -> String {
        switch command {
        case .run:
            """
            Runs the service in the foreground, until Ctrl-C or SIGTERM. It fetches the new
            picture every day and older ones back to `since`, watches the folder
            `favorites`, deletes what `keep` and `max-total` do not allow, and works for the
            other commands, by the settings that it has read. SIGHUP makes it read them
            again.
            """
        case .sync:
            """
            Fetches the days that are missing from --since to --until, and looks at the
            newest again for corrections. Without them, that is from the setting `since` to
            today, and all days that failed. With dates (2026-11-20), it asks for these,
            even if they are here. Ctrl-C stops it; the same command goes on from there.

            Then it deletes what `keep` and `max-total` do not allow, or says what waits for
            `prune`. With dates, or with both --since and --until, it deletes nothing.
            """
        case .status:
            """
            Shows what is there, what is missing and why, what the service does at the
            moment, and when it asks for the next day.
            """
        case .favorites:
            """
            \(table(FavoritesAction.allCases.map { ($0.rawValue, $0.summary) }))

            A DATE is written as 2026-11-20, or as `latest` for that of the newest picture.
            `add` and `restore` also take the path of one of the day's files or of a link to
            one. A TIME is 2026-11-20 or "2026-11-20 14:30" in local time,
            2026-11-20T14:30:00Z, or 2h, 30m or 3d for that long ago.
            """
        case .search:
            """
            Lists the days that have all the words in title or explanation, best first. The
            last word may be the beginning of one.
            """
        case .show:
            """
            Shows a day's title, credit and text, and where its files are.
            \(whichDay)
            """
        case .open:
            """
            Opens a day's picture, its video, or the page that plays it, with xdg-open.
            Where there is no display or no xdg-open, it prints the path.
            \(whichDay)
            """
        case .revert:
            """
            Brings back what NASA's last correction of a day replaced: texts, pictures and
            videos. Run again, it brings back what came before that and, after the first,
            the newest. What it puts aside comes again only with `apod-mirror sync DATE`;
            other corrections come as ever.
            """
        case .verify:
            """
            Checks the catalog, and every file in it against its SHA-256.
            """
        case .prune:
            """
            Deletes now the pictures that `keep` and `max-total` do not allow, however many
            they are. Favorites, those that ended in the last 90 days, the newest picture
            and all JSON files stay.
            """
        case .thumbnails:
            """
            Makes the smaller copies of pictures that are missing, newest first: for
            browsers with the setting `gallery`, for file managers with `thumbnails`. It
            prints the path of each as it comes; where both are made, of those for browsers.
            With dates (2026-11-20), it also prints those that are there already.
            """
        case .serve:
            """
            Answers browsers and other programs, until Ctrl-C or SIGTERM: the folder with
            its gallery, and programs that were written for NASA's services. It runs
            beside a service and without one, and changes nothing but favorites, where the
            service has `web-favorites = yes`.

            Only this machine and private networks are let in. `--allow 203.0.113.0/24`
            lets in others; `--allow 0.0.0.0/0 --allow ::/0`, everybody.
            """
        case .config:
            """
            Prints the settings in force, in the form of a configuration file, and where
            each comes from.
            """
        }
    }

    private static let whichDay = """
        A day is given by its DATE (2026-11-20), or by the PATH of one of its files or
        of a favorite. `latest`, or nothing, is the newest day with a picture.
        """

    private static var settings: String {
        let defaults = Settings(root: "~/Pictures/APOD")
        let options =
            Setting.all.map { ("--\($0.key) \($0.value)", "\($0.help) (\($0.show(defaults)))") }
            + [("--config FILE", "read this file instead")]
        return """
            Settings, their defaults in parentheses. They stand as `key = value` in
            ~/.config/apod-mirror.conf or, where that is not there, /etc/apod-mirror.conf,
            or in the environment (APOD_MIRROR_MAX_FILE=1G). A file describes one mirror:
            where --root names another, the file is ignored. As options, `run` and `config`
            take all, `sync` those of fetching, every command --root, --state and --config.
            `apod-mirror config` shows those in force.

            \(table(options))

            A SIZE is written as 50G, 50 GB or 7.1 GB (in thousands), or as 50GiB (in steps
            of 1024). A SPAN is 90d, 12m or 5y (days, months, years).
            """
    }
}

extension FavoritesAction {
    fileprivate var summary: String {
        switch self {
        case .list: "the favorites"
        case .add: "make a link in `favorites`; a day that is not here is fetched"
        case .remove: "delete all links to a day"
        case .history: "what was added, removed, restored and adopted"
        case .restore: "make links again: those that went with the folder, of some days, or since a time"
        }
    }
}
