import TestSupport
import Testing

@Suite("The command line", .serialized) struct UsageTests {
    private static let settings = [
        "root", "since", "upstream", "pictures", "videos", "max-file", "keep", "max-total", "rate", "connections",
        "recheck-days", "adopt", "state", "contact",
    ]

    private func run(_ words: [String]) async throws -> Program.Outcome {
        try await Program.run(Household.program, words, environment: [:], limit: .seconds(20))
    }

    @Test(
        "has help for all of it and for each command",
        arguments: [[], ["--help"], ["-h"]]
            + ["sync", "status", "search", "verify", "prune", "config"].map { [$0, "--help"] })
    func help(words: [String]) async throws {
        let help = try await run(words)
        #expect(help.status == 0 && help.errors.isEmpty)
        #expect(help.output.hasSuffix("\n") && !help.output.hasSuffix("\n\n"))
        let lines = help.output.split(separator: "\n")
        for line in lines { #expect(line.count <= 100, "\(line)") }
        for setting in Self.settings + ["config"] {
            #expect(lines.count { $0.hasPrefix("  --\(setting) ") } == 1, "\(setting)")
        }
        if words.count == 2 { #expect(lines[0].hasPrefix("usage: apod-mirror \(words[0])")) }
    }

    @Test("tells the version")
    func version() async throws {
        let version = try await run(["--version"])
        #expect(version.status == 0)
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
        Mistake("entirely-else", "run, sync, status, favorites, search, verify, prune, config"),
        Mistake("--json", "which command?", "sync, status"),
        Mistake("status --jsno", "unknown option --jsno", "did you mean --json?"),
        Mistake("config --conections 3", "--conections", "did you mean --connections?"),
        Mistake("sync -x", "unknown option -x"),
        Mistake("sync --json", "sync has no option --json"),
        Mistake("status --dry-run", "status has no option --dry-run"),
        Mistake("verify --until 2019-04-01", "verify has no option --until"),
        Mistake("status --json=1", "--json=1"),
        Mistake("status now", "status takes no “now”"),
        Mistake("config -- more", "config takes no “more”"),
        Mistake("search", "which words?"),
        Mistake("config --rate", "--rate needs a value"),
        Mistake("config --root --rate 1", "--root needs a value"),
        Mistake("sync yesterday", "“yesterday” is not a day", "2026-11-20"),
        Mistake("sync 2019-02-29", "“2019-02-29” is not a day"),
        Mistake("sync 1995-06-15", "“1995-06-15” is not a day", "1995-06-16"),
        Mistake("sync --until 2019-4-1", "“2019-4-1” is not a day"),
        Mistake("sync --since 2019-04-02 --until 2019-04-01 --root ROOT", "2019-04-01 is before", "2019-04-02"),
        Mistake("sync 2019-04-02 --until 2019-04-03", "not both"),
        Mistake("sync 2019-04-02 --since 2019-04-03", "not both"),
        Mistake("config --config /nowhere/at.conf", "cannot read /nowhere/at.conf: No such file"),
        Mistake("config --config /", "cannot read /: Is a directory"),
    ]

    @Test("says what was meant when it is wrong", arguments: mistakes)
    private func mistake(_ mistake: Mistake) async throws {
        let folder = try TemporaryFolder()
        let words = mistake.words.map { $0 == "ROOT" ? folder.path : $0 }
        let outcome = try await run(words + (words.contains("--config") ? [] : ["--config", "/dev/null"]))
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        for words in mistake.says { #expect(outcome.errors.contains(words)) }
        #expect(outcome.errors.hasPrefix("apod-mirror: ") && outcome.errors.hasSuffix("\nSee apod-mirror --help.\n"))
    }

    @Test("shows what others wrote without obeying it")
    func escapes() async throws {
        for words in [["a\u{1b}[31mb"], ["config", "--rate", "\u{1b}]0;x\u{7}"], ["sync", "\u{202e}2019\r"]] {
            let outcome = try await run(words + ["--config", "/dev/null"])
            #expect(outcome.status == 2 && outcome.isPlain)
        }
    }
}
