import Apod
import Archive
import Catalog
import Glibc
import TestSupport
import Testing

@Suite(.serialized) struct RetentionTests {
    private let newest = CommandSandbox.newest

    private func days(_ home: CommandSandbox, _ suffix: String) async throws -> [String] {
        try await home.files().filter { $0.hasSuffix(suffix) && $0.hasPrefix("2") }.map {
            String($0.dropFirst(8).prefix(10))
        }
    }

    /// All that is below the root, with its content and its times.
    private func everything(_ home: CommandSandbox) async throws -> String {
        // SQLite's own, which whoever reads needs too.
        let find = "find . ! -name '*-wal' ! -name '*-shm'"
        let script = """
            cd '\(home.root)' && \(find) -printf '%p %y %s %T@ %C@ %l\\n' | grep -v '^./\\(.apod-mirror\\|favorites.*\\) d' | sort &&
            \(find) -type f -exec sha256sum {} + | sort
            """
        let outcome = try await home.shell(script)
        #expect(outcome.status == 0 && !outcome.output.isEmpty)
        return outcome.output
    }

    @Test("keep and max-total let the oldest go, and their JSON stays")
    func keep() async throws {
        let home = try CommandSandbox(days: 20)
        #expect(try await home.sync().output.hasSuffix("20 fetched\n"))
        try await home.run("prune", "keep=10d").succeeds(
            output: "deleted the pictures of 9 days, 180 KB\n", errors: "")
        #expect(try await days(home, ".jpg") == (0...10).reversed().map { "\(newest.advanced(by: -$0))" })
        #expect(try await days(home, ".json").count == 20)
        try await home.run("verify").succeeds()
        let status = try await home.run("status", "keep=10d")
        let rule = "`keep` does not allow their pictures; the texts stay"
        #expect(status.output.contains("\ndeleted       9 (\(rule))\n"))
        try await home.run("status", "keep=10d", "max-total=1G").says(
            output: .containing("\ndeleted       9 (`keep` and `max-total` do not allow their pictures; "))
        // By other settings than those that there are: each day counts once.
        let earlier = try await home.run("status").unwrapped
        let again = "(deleted by other settings than now) `apod-mirror sync` fetches them"
        #expect(earlier.contains("\nmissing       9 \(again)\n") && !earlier.contains("\ndeleted"), "\(earlier)")
        let early = try await home.run("status", "since=2019-04-15").unwrapped
        let remedy = "(earlier; the texts stay) `apod-mirror sync DATE` fetches the pictures again"
        #expect(early.contains("\ndeleted       4 \(remedy)\n"))
        #expect(early.contains("\nmissing       5 (deleted by other settings than now)"))
        #expect(!status.output.contains("\nmissing"))
        let json = try await home.json("status")
        #expect(json["pruned"]?.integer == 9 && json["pictures"]?.integer == 11 && json["missing"]?.integer == 9)
        try await home.sync("keep=10d").succeeds(output: .ending("nothing new\n"))
        try await home.sync().succeeds(output: .ending("9 fetched\n"))
        #expect(try await days(home, ".jpg").count == 20)
    }

    @Test("keep and max-total say with --dry-run what would be deleted, and do nothing")
    func dryRun() async throws {
        let home = try await CommandSandbox(days: 30).synced("--since", "2019-04-04")
        #expect(mkdir(home["favorites/album"], 0o755) == 0)
        let before = try await everything(home)
        let asked = home.nasa.requests.count
        try await home.run("prune", "--dry-run").succeeds(
            output: "nothing to delete: keep is forever, and max-total none\n", errors: "")
        let outcome = try await home.run("prune", "--dry-run", "keep=3d")
        outcome.succeeds(errors: "")
        let lines = outcome.lines.map(String.init)
        #expect(lines.count == 24 && lines[0] == "23 days to delete, from 2019-04-04 to 2019-04-26, 460 KB:")
        #expect(lines[1].hasPrefix("  2019-04-04  ") && lines[1].hasSuffix(" (20.0 KB)"))
        // Somebody has just put a link there, and a copy; nobody has noted it yet.
        let files = try await home.files(".jpg")
        try home.link("album/mine", to: "../../\(files[0])")
        try save(contents(home[files[1]]), to: home["favorites/copy.jpg"])
        let marked = try await home.run("prune", "--dry-run", "keep=3d")
        #expect(marked.output.hasPrefix("21 days to delete, from 2019-04-06 to 2019-04-26, 420 KB:"))
        unlink(home["favorites/album/mine"])
        unlink(home["favorites/copy.jpg"])
        let reason = "nothing to delete: no picture that may be deleted is older than 5y (keep), and "
        try await home.run("prune", "--dry-run", "keep=5y", "max-total=1G").says(output: .starting(reason))
        #expect(try await everything(home) == before)
        #expect(home.nasa.requests.count == asked)
        let real = try await home.run("prune", "keep=3d")
        #expect(real.output == "deleted the pictures of 23 days, 460 KB\n")
    }

    /// Without `since`, the days that are here say where it begins.
    @Test(
        "keep and max-total say with --dry-run without a catalog what would be deleted, and a sync fetches what is missing"
    )
    func dryRunOfTree() async throws {
        let today = CommandSandbox.newest.advanced(by: 1)
        let home = try CommandSandbox(Entry.days(60, newest: today), clock: "2019-05-01 23:00:00")
        try home.set("root = \(home.root)\nupstream = \(home.nasa.origin)\nrate = 0\n")
        try await home.run("sync").succeeds()
        try await home.run("sync", "\(today.advanced(by: -50))").succeeds()
        let lost = today.advanced(by: -3)
        let script = "cd '\(home.root)'; rm .apod-mirror/catalog* .apod-mirror/since */*/\(lost)*"
        try await home.shell(script).succeeds()
        let before = try await everything(home)
        #expect(try await home.run("prune", "--dry-run", "keep=40d").output.hasPrefix("1 day to delete, "))
        #expect(try await everything(home) == before && access(home[".apod-mirror/catalog.sqlite"], F_OK) != 0)
        try await home.run("sync").succeeds(output: .ending(" 20 fetched\n"))
    }

    @Test(
        "keep and max-total say that the first day is still to come where that leaves nothing to fetch",
        arguments: [true, false])
    func future(isSetting: Bool) async throws {
        let home = try await CommandSandbox(days: 1).synced()
        if isSetting {
            let lines = ["root = \(home.root)", "upstream = \(home.nasa.origin)", "rate = 0", "since = 2094-01-01", ""]
            try home.set(lines.joined(separator: "\n"))
        }
        let words = isSetting ? [] : ["--since", "2094-01-01"]
        try await home.run(["sync"] + words).succeeds(
            output: .starting("nothing to fetch: 2094-01-01 is not published yet\n"))
    }

    @Test("keep and max-total say with --dry-run beside a running sync what would be deleted")
    func bystander() async throws {
        let home = try await CommandSandbox(days: 3).synced()
        home.nasa.add(Entry(newest.advanced(by: 1)))
        home.nasa.answer(Entry.originals, .hanging)
        let running = try home.start("sync", "--until", "2019-05-01")
        try await home.nasa.server.request { $0.path.contains("190501") }
        try await home.run("prune", "--dry-run", "keep=1d").succeeds(
            output: .starting("1 day to delete, 2019-04-28, 20.0 KB:\n"))
        running.send(SIGTERM)
        _ = try await running.finished()
    }

    @Test("keep and max-total with --dry-run leave no file of their own beside a catalog that has none")
    func leavingNothing() async throws {
        let home = try await CommandSandbox(days: 2).synced()
        let before = try await home.run("prune", "--dry-run", "keep=1d").output
        // Whoever closes it last leaves nothing in the log.
        _ = try Catalog(in: home.root)
        for suffix in ["wal", "shm"] { unlink(home[".apod-mirror/catalog.sqlite-\(suffix)"]) }
        try await home.run("prune", "--dry-run", "keep=1d").succeeds(output: .being(before))
        try await home.shell("ls '\(home.root)/.apod-mirror'").says(
            output: .containing("catalog.sqlite\n"), .without("catalog.sqlite-"))
    }

    @Test("keep and max-total leave the newest picture, and a catalog that is made again knows what went")
    func tooSmall() async throws {
        let home = try await CommandSandbox(days: 8).synced()
        let bytes = try #require(try await home.json("status")["bytes"]?.integer)
        try await home.run("prune", "--dry-run", "max-total=\(bytes - 20_000)B").says(
            output: .starting("1 day to delete, "), .without("would leave more"))
        // All that may go would not be enough: nothing goes.
        for option in [["--dry-run"], []] {
            let words = try await home.run(["prune"] + option + ["max-total=10K"])
            if !option.isEmpty { #expect(words.output.contains("would leave more than 10.0 KB")) }
            #expect(try await days(home, ".jpg").count == 8)
        }
        #expect(try await home.json("status", "max-total=10K").conditions("out-of-reach").count == 1)
        let limit = "max-total=\(bytes - 7 * 20_000 + 5_000)B"
        try await home.run("prune", limit).succeeds(output: "deleted the pictures of 7 days, 140 KB\n")
        #expect(try await days(home, ".jpg") == ["\(newest)"])
        #expect(target(of: home["latest"])?.contains("\(newest)") == true)
        let files = try await home.files()
        try await home.shell("rm '\(home.root)'/.apod-mirror/catalog.sqlite*").succeeds()
        let asked = home.nasa.requests.count { $0.path.hasPrefix(Entry.originals) }
        try await home.sync(limit).succeeds()
        #expect(home.nasa.requests.count { $0.path.hasPrefix(Entry.originals) } == asked)
        #expect(try await home.files() == files)
        #expect(try await home.json("status")["pruned"]?.integer == 7)
        try await home.run("verify").succeeds()
    }

    @Test("keep and max-total do not hold for days that are asked for by name, until the next sync")
    func named() async throws {
        let home = try CommandSandbox(days: 20, settings: "keep = 5d")
        #expect(try await home.sync().output.hasSuffix("6 fetched\n"))
        let one = "2019-04-15 is not to stay (keep = 5d), and will be deleted again. "
        let keeping = "`apod-mirror favorites add 2019-04-15` keeps it\n"
        let day = try await home.run("sync", "2019-04-15")
        day.succeeds(output: .ending("1 fetched\n"), errors: "apod-mirror: \(one)\(keeping)")
        let range = try await home.sync("--since", "2019-04-21")
        range.succeeds(output: .ending("4 fetched\n"))
        let days = "2019-04-21, 2019-04-22, 2019-04-23 and 1 more"
        let many = "\(days) are not to stay (keep = 5d), and will be deleted again. "
        #expect(range.errors == "apod-mirror: \(many)`apod-mirror favorites add DATE` keeps one\n")
        // Of what stays, nothing is said.
        try await home.run("favorites", "add", "2019-04-30").succeeds()
        #expect(try await home.run("sync", "2019-04-29", "2019-04-30").errors == "")
        #expect(try await self.days(home, ".jpg").count == 11)
        try await home.sync().succeeds(output: .ending("nothing new\ndeleted the pictures of 5 days, 100 KB\n"))
        try await home.run("sync", "--until", "2019-04-15").succeeds(
            output: "nothing to fetch: keep and max-total leave no day until 2019-04-15\n")
    }
}
