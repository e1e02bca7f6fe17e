import Configuration

/// The answers to `--help`.
enum Help {
    static func text(for command: Command?) -> String {
        guard let command else { return overview }
        return explanation(of: command) + "\n\n" + settings
    }

    private static var overview: String {
        """
        apod-mirror keeps a folder of NASA's Astronomy Picture of the Day.

        usage: apod-mirror COMMAND [OPTION…]

          run             watch the favorites folder, until it is stopped
          sync [DATE…]    fetch what is missing, or these days, and look for corrections of the newest
          status          what is there, what is missing and why
          favorites       list them; add, remove and restore them
          search WORDS    find days by title and explanation
          verify          check every file
          prune           delete now what is not to be kept
          config          the settings in force, and where each comes from

        apod-mirror COMMAND --help tells more. --version prints the version.
        Exit status: 0 all done, 1 something could not be done, 2 wrong usage or configuration.


        """ + settings
    }

    private static func explanation(of command: Command) -> String {
        switch command {
        case .run:
            """
            usage: apod-mirror run [SETTING…]

            The service: fetches the new picture every day and what is missing of older days, deletes what is not
            to be kept, and watches the folder `favorites`, where a link makes a picture a favorite and asks
            for a day that is not there yet (ln -s 2019-04-10 favorites/). Runs until Ctrl-C or SIGTERM; SIGHUP
            makes it read its settings again.
            """
        case .sync:
            """
            usage: apod-mirror sync [DATE…] [--since DATE] [--until DATE] [--dry-run] [SETTING…]

            Fetches the days that are missing between --since and --until (today, if nothing is said), and
            looks at the newest again for corrections. With dates (2026-11-20), fetches these days.
            Ctrl-C stops it; the same command goes on. Beside `apod-mirror run`, that does the work, by the
            settings that it has read itself.

            Then deletes the oldest pictures, as --keep and --max-total say: never of favorites and the
            newest, and the JSON files stay. With dates, or with both --since and --until, it fetches what is
            asked for and deletes nothing. What would be more than 30 pictures, and more than a tenth of
            all, is held for a day first, counted while the machine runs. --dry-run tells what would be
            fetched and deleted, and does nothing.
            """
        case .status:
            """
            usage: apod-mirror status [--json] [SETTING…]

            What is there, what is missing and why, and what `apod-mirror run` does at the moment.
            """
        case .favorites:
            """
            usage: apod-mirror favorites [list|history] [--json] [SETTING…]
                   apod-mirror favorites add|remove DATE… [--json] [SETTING…]
                   apod-mirror favorites restore [DATE…] [--since TIME] [--json] [SETTING…]
                   apod-mirror favorites forget [DATE…] [--json] [SETTING…]

            Lists the favorites, or when they came and went. `add` makes a link in the folder `favorites`,
            `remove` takes links away, as you could yourself. When links have vanished, with their folder, while
            nobody looked, or most of them at once, the pictures stay favorites: `restore` makes the links again as
            they were, `forget` drops these favorites. With dates, `restore` makes all links that there were to
            these days; with --since, all that went since then (2026-11-20, "2026-11-20 14:30" in local time,
            2026-11-20T14:30:00Z, or 2h for two hours ago). A DATE may also be the path of one of the day's files.
            """
        case .search:
            """
            usage: apod-mirror search WORDS [SETTING…]

            Lists the files of the days that have all the words in title or explanation, best first. The last
            word may be the beginning of one.
            """
        case .verify:
            """
            usage: apod-mirror verify [--repair] [--json] [SETTING…]

            Checks every file against its SHA-256, and the catalog against the folder. With --repair, fetches
            again what is damaged or missing, or lets a running service do that.
            """
        case .prune:
            """
            usage: apod-mirror prune [--dry-run] [SETTING…]

            Deletes now the pictures that --keep and --max-total do not allow, also when they are so many that
            they are held for a day: never favorites, those that ended in the last 30 days, or the newest
            picture. The JSON files stay. --dry-run lists them, and deletes nothing. Beside `apod-mirror run`,
            that does it, by the settings that it has read itself.
            """
        case .config:
            """
            usage: apod-mirror config [SETTING…]

            Prints the settings in force, in the form of a configuration file, and where each comes from.
            """
        }
    }

    private static var settings: String {
        let defaults = Settings(root: "~/Pictures/APOD")
        let options =
            Setting.all.map { ("--\($0.key) \($0.value)", "\($0.help) (\($0.show(defaults)))") }
            + [("--config FILE", "read this file only")]
        let width = (options.map(\.0.count).max() ?? 0) + 2
        let lines = options.map { option, help in
            "  " + option + String(repeating: " ", count: width - option.count) + help
        }
        return """
            Settings, their defaults in parentheses. They may also stand as `key = value` in
            /etc/apod-mirror.conf or ~/.config/apod-mirror.conf, or in the environment
            (APOD_MIRROR_MAX_FILE=1G):

            \(lines.joined(separator: "\n"))
            """
    }
}
