import TestSupport
import Testing

@testable import apod_mirror

@Suite(.serialized) struct UsageTests {
    private static let settings = [
        "root", "since", "upstream", "pictures", "videos", "max-file", "keep", "max-total", "rate", "connections",
        "recheck-days", "gallery", "thumbnails", "web-names", "listen", "state", "contact",
    ]

    private func run(_ words: [String]) async throws -> Program.Outcome {
        try await Program.run(CommandSandbox.program, words, environment: [:], limit: .seconds(180))
    }

    private func lines(_ words: [String]) async throws -> [Substring] {
        let help = try await run(words)
        help.succeeds(errors: "")
        #expect(help.output.hasSuffix("\n") && !help.output.hasSuffix("\n\n"))
        return help.lines
    }

    @Test("The command line help on the settings names what numbers they take, as they are refused with")
    func ranges() async throws {
        let help = try await Program.run(CommandSandbox.program, ["help", "settings"], environment: [:]).output
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for (key, range) in [("rate", "0.001 to 1000"), ("connections", "1 to 64"), ("recheck-days", "0 to 24")] {
            let part = try #require(words.split(separator: "--\(key) NUMBER ").last?.split(separator: " --").first)
            #expect(part.contains(range))
            try await Program.run(
                CommandSandbox.program, ["config", "--config", "/dev/null", "--\(key)", "-1"], environment: [:]
            ).says(errors: .containing("from \(range)"))
        }
    }

    @Test(
        "The command line has help that names every command, and where to read more",
        arguments: [[], ["--help"], ["-h"], ["help"], ["help", "help"], ["help", "--help"]])
    func overview(words: [String]) async throws {
        let lines = try await lines(words)
        for line in lines { #expect(line.count <= 80, "\(line)") }
        for command in Main.commands.names { #expect(lines.count { $0.hasPrefix("  \(command) ") } == 1, "\(command)") }
        #expect(lines.contains { $0.contains("`apod-mirror help settings`, `man apod-mirror`") })
        #expect(!lines.contains { $0.hasPrefix("  --") })
    }

    @Test(
        "The command line has help on each command that shows the command's own options",
        arguments: Main.commands.map(\.name))
    func help(name: String) async throws {
        let command = try #require(Main.commands.named(name))
        let lines = try await lines(["help", name])
        for words in [[name, "--help"], ["-h", name], [name, "--root", "/x", "-h"]] {
            #expect(try await self.lines(words) == lines)
        }
        for line in lines { #expect(line.count <= 80, "\(line)") }
        #expect(lines[0].hasPrefix("usage: apod-mirror \(name)"))
        let shown = lines.filter { $0.hasPrefix("  --") }.map { $0.dropFirst(4).prefix { $0 != " " } }
        let settings = ["sync": ["since"], "prune": ["keep", "max-total"], "serve": ["web-names"]][name, default: []]
        #expect(shown.map(String.init) == settings + command.options.map(\.name))
        #expect(lines.suffix(4).joined(separator: " ").contains("`apod-mirror help settings`"))
        for action in command.actions.map(\.name) {
            #expect(try await self.lines(["help", name, action]) == lines)
            #expect(lines.count { $0.hasPrefix("  \(action) ") } == 1, "\(action)")
        }
    }

    @Test("The command line has help on the settings")
    func settings() async throws {
        let lines = try await lines(["help", "settings"])
        for line in lines { #expect(line.count <= 80, "\(line)") }
        for setting in Self.settings + ["config"] {
            #expect(lines.count { $0.hasPrefix("  --\(setting) ") } == 1, "\(setting)")
        }
    }

    @Test("The command line has help whatever the settings say")
    func withoutSettings() async throws {
        for words in [["help", "sync"], ["sync", "--help"]] {
            try await run(words + ["--config", "/nowhere", "--rate", "nonsense"]).succeeds(
                output: .starting("usage: apod-mirror sync"))
        }
    }

    @Test("The command line tells the version")
    func version() async throws {
        let version = try await run(["--version"])
        version.succeeds()
        #expect(version.output.wholeMatch(of: /apod-mirror \d+\.\d+\.\d+\n/) != nil)
    }

    private struct Mistake: Sendable, CustomTestStringConvertible {
        let words: [String]
        let says: [String]

        init(_ words: String, _ says: String...) {
            self.words = words.split(separator: " ").map(String.init)
            self.says = says
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    private static let mistakes = [
        Mistake("snyc", "unknown command “snyc”", "did you mean sync?"),
        Mistake("entirely-else", "choose one of: \(Main.commands.names.joined(separator: ", "))", "config, help"),
        Mistake("hepl", "did you mean help?"),
        Mistake("help entirely-else", "unknown topic “entirely-else”", "config, help, settings"),
        Mistake("help setings", "did you mean settings?"),
        Mistake("help sync status", "help takes one command"),
        Mistake("help favorites ad", "unknown favorites command “ad”; did you mean add?"),
        Mistake("favorites --foo", "unknown option --foo; it takes --album, --since, --paths, --json, --root, --state"),
        Mistake("favorites ad 2019-04-30", "unknown favorites command “ad”; did you mean add?"),
        Mistake("favorites entirely-else", "choose one of: list, add, remove, restore, history"),
        Mistake("--json", "which command?", "sync, status"),
        Mistake("status --jsno", "unknown option --jsno", "did you mean --json?"),
        Mistake("status --to 2019-04-30", "unknown option --to; it takes --json, --root, --state, --config"),
        Mistake("config --conections 3", "--conections", "did you mean --connections?"),
        Mistake("sync -x", "unknown option -x; it takes --until, --list, --since, --upstream, --pictures, "),
        Mistake("status --entirely-else", "unknown option --entirely-else; it takes --json, --root, --state, --config"),
        Mistake("config --entirely-else", "unknown option --entirely-else; it takes --check, --config, and every "),
        Mistake("sync --json", "sync has no option --json; it takes --until, --list, --since, "),
        Mistake("sync --keep 3d", "sync has no option --keep; it takes ", "`keep = 3d` into the settings file"),
        Mistake("status --rate 5", "status has no option --rate", "rate is a setting: write `rate = 5` into"),
        Mistake("prune --keep 3d", "prune has the option --keep only with --dry-run"),
        Mistake("status --dry-run", "status has no option --dry-run"),
        Mistake("verify --until 2019-04-01", "verify has no option --until"),
        Mistake("status --json=1", "--json=1"),
        Mistake("status now", "unexpected “now”: `status` takes options only"),
        Mistake("config -- more", "unexpected “more”: `config` takes options only"),
        Mistake("search", "which words?"),
        Mistake("search moon --paths --json", "use --paths or --json, not both"),
        Mistake("show 2019-04-30 2019-04-29", "one day at a time"),
        Mistake("show yesterday", "“yesterday” is not a day"),
        Mistake("show x.jpg", "there is nothing at “x.jpg”; give a date like 2026-11-20, `latest`, or"),
        Mistake("open none/x", "there is nothing at “none/x”"),
        Mistake("open --json", "open has no option --json; it takes --root, --state, --config"),
        Mistake("favorites --paths --json", "use --paths or --json, not both"),
        Mistake(
            "favorites --paths add 2019-04-30", "favorites add has no option --paths; it takes --album, --json, --root"),
        Mistake("favorites add --foo", "unknown option --foo; it takes --album, --json, --root, --state, --config"),
        Mistake("favorites history --paths", "favorites history has no option --paths; it takes --json, --root"),
        Mistake("favorites add 2019-04-30 --album a/b", "an album cannot be called “a/b”"),
        Mistake("favorites remove 2019-04-30 --album a", "favorites remove has no option --album; it takes --json, "),
        Mistake("favorites add", "of which day"),
        Mistake("favorites add yesterday", "“yesterday” is not a day"),
        Mistake("favorites remove 2019-4-30", "2019-4-30 is to be written as 2019-04-30"),
        Mistake("favorites list 2019-04-30", "takes no dates"),
        Mistake("favorites --since 1h", "favorites list has no option --since; it takes --paths, --json, "),
        Mistake("favorites restore --since yesterday", "not a time"),
        Mistake("favorites restore --since 2019-4-30", "2019-4-30 is to be written as 2019-04-30"),
        Mistake("favorites restore 2019-04-30 --since 1h", "not both"),
        Mistake("favorites 2019-04-30", "did you mean `apod-mirror favorites add 2019-04-30`?"),
        Mistake("config --rate", "--rate needs a value"),
        Mistake("config --root --rate 1", "--root needs a value"),
        Mistake("sync yesterday", "“yesterday” is not a day", "2026-11-20"),
        Mistake("thumbnails yesterday", "“yesterday” is not a day"),
        Mistake("sync 2019-02-29", "“2019-02-29” is not a day"),
        Mistake("sync 1995-06-15", "there is nothing of 1995-06-15: APOD began on 1995-06-16"),
        Mistake("sync 1900-02-29", "“1900-02-29” is not a day"),
        Mistake("sync --until 2095-01-01", "2095-01-01 is still to come"),
        Mistake("show 2099-01-01", "2099-01-01 is still to come"),
        Mistake("sync --until 2019-4-1", "2019-4-1 is to be written as 2019-04-01"),
        Mistake("show 2019-4-1", "2019-4-1 is to be written as 2019-04-01"),
        Mistake("sync --until 2019-4", "“2019-4” is not a day"),
        Mistake("sync --since 2019-04-02 --until 2019-04-01 --root ROOT", "2019-04-01 is before", "2019-04-02"),
        Mistake("sync 2019-04-02 --until 2019-04-03", "not both"),
        Mistake("sync 2019-04-02 --since 2019-04-03", "not both"),
        Mistake("config --config /nowhere/at.conf", "cannot read /nowhere/at.conf: No such file"),
        Mistake("config --config /", "cannot read /: Is a directory"),
    ]

    @Test("The command line says what was meant when it is wrong", arguments: mistakes)
    private func mistake(_ mistake: Mistake) async throws {
        let folder = try TemporaryFolder()
        let words = mistake.words.map { $0 == "ROOT" ? folder.path : $0 }
        let outcome = try await run(words + (words.contains("--config") ? [] : ["--config", "/dev/null"]))
        outcome.fails(2, output: "")
        for words in mistake.says { #expect(outcome.errors.contains(words)) }
        let command = words.first { Main.commands.named($0) != nil }.map { " \($0)" } ?? ""
        let topic = words.contains { $0.hasPrefix("/nowhere") || $0 == "/" } ? " settings" : command
        outcome.says(errors: .starting("apod-mirror: "), .ending("\nSee `apod-mirror help\(topic)`.\n"))
    }

    @Test("The command line shows what others wrote without obeying it")
    func escapes() async throws {
        for words in [["a\u{1b}[31mb"], ["config", "--rate", "\u{1b}]0;x\u{7}"], ["sync", "\u{202e}2019\r"]] {
            let outcome = try await run(words + ["--config", "/dev/null"])
            #expect(outcome.status == 2 && outcome.isPlain)
        }
    }
}
