import Apod
import Glibc
import Syncing
import TestSupport
import Testing

@testable import Control
@testable import apod_mirror

@Suite(.serialized) struct HintsTests {
    private func typed(_ command: String, _ home: CommandSandbox) async throws -> Program.Outcome {
        let settings = "APOD_MIRROR_UPSTREAM='\(home.nasa.origin)' APOD_MIRROR_RATE=0 APOD_MIRROR_SINCE=2019-03-01"
        return try await home.shell(
            "export \(settings); apod-mirror() { '\(CommandSandbox.program)' \"$@\"; }; \(command)")
    }

    @Test("A command that a message names is about the same mirror, wherever that is")
    func places() async throws {
        let home = try CommandSandbox(days: 1)
        let root = home.folder.appending("it's mine")
        let quoted = root.replacing("'", with: "'\\''")
        let options = "--config \(home.configuration) --root '\(quoted)'"
        for command in ["status", "search x", "verify"] {
            let script = "cd '\(home.folder.path)' && \"$1\" \(command) \"${@:2}\" --root \"it's mine\""
            let outcome = try await home.shell(script)
            #expect(outcome.commands == ["apod-mirror sync \(options)", "root"], "\(outcome)")
        }
        let command = "apod-mirror sync \(options)"
        #expect(try await typed("\(command) --until 2019-04-30", home).output.contains(": 1 fetched"))
        let status = try await home.run("status", "--root", "/nowhere", "--root", root)
        #expect(status.commands == ["apod-mirror run \(options)"], "\(status)")
    }

    @Test("A command that a message names has the options that it takes, and no range beside a day")
    func options() async throws {
        let home = try await CommandSandbox(days: 1).synced()
        func named(_ words: String...) async throws -> [String] { try await home.run(words).commands }
        let day = "2019-03-10"
        #expect(try await named("show", day) == ["apod-mirror sync \(day) --config \(home.configuration)"])
        try home.write("mine", to: "APOD/favorites/own.txt")
        let sync = try await named("sync", "--since", "2019-04-30", "--until", "2019-04-30")
        #expect(sync == ["apod-mirror status --config \(home.configuration)"])
    }

    private static let day = Day("2026-11-08")!

    @Test(
        "A command that a message names takes sudo where the service does it for the owner and root alone",
        arguments: [
            ("revert 2026-11-08", .revert(Self.day)), ("prune", .prune), ("verify --repair", .repair([])),
            ("sync", .sync(SyncOrder())), ("sync --list cats", .sync(SyncOrder(list: ListName("cats")))),
            ("sync 2026-11-08", .sync(SyncOrder(days: [Self.day]))), ("thumbnails", .thumbnails([])),
            ("favorites add 2026-11-08", .favorites(FavoritesOrder(.add, [Subject(Self.day)]))),
            ("prune --dry-run", nil), ("verify", nil), ("status", nil),
        ] as [(String, Job?)])
    func owners(command: String, job: Job?) {
        let mayMember = job.map { Asker.member(1000).may(.job($0)) } ?? true
        #expect(Hints.isOwners("apod-mirror \(command)") == !mayMember)
    }

    private static let hasNoSettings = access("/etc/apod-mirror.conf", F_OK) != 0

    @Test(
        "A command that a message names has no file that is read anyhow",
        .enabled(if: hasNoSettings, "needs a machine without settings of the mirror"))
    func needlessFile() async throws {
        let home = try await CommandSandbox(days: 1).synced()
        #expect(mkdir(home.folder.appending(".config"), 0o755) == 0)
        #expect(rename(home.configuration, home.folder.appending(".config/apod-mirror.conf")) == 0)
        let file = home.folder.appending(".config/apod-mirror.conf")
        let outcome = try await home.run("show", "2019-03-10", "--config", file)
        #expect(outcome.commands == ["apod-mirror sync 2019-03-10"], "\(outcome)")
    }
}
