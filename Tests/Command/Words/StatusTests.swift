import Apod
import Archive
import Catalog
import Glibc
import TestSupport
import Testing

@Suite(.serialized) struct StatusTests {
    private static let keys: Set = [
        "root", "pictures", "days", "oldest", "newest", "missing", "failed", "favorites", "pending", "unrecognised",
        "watching", "last_refresh", "next_refresh", "bytes",
    ]

    @Test("status and search tells of the last three corrections, and of none that was reverted")
    func replaced() async throws {
        let home = try await CommandSandbox(days: 5).synced()
        let days = (26...30).map { Day("2019-04-\($0)")! }
        for day in days { home.nasa[day]?.bytes = 30_000 }
        try await home.run(["sync"] + days.map(\.description)).succeeds()
        func told() async throws -> [String] {
            try await home.json("status").conditions("replaced").compactMap { $0["date"]?.string }
        }
        #expect(try await told() == ["2019-04-30", "2019-04-29", "2019-04-28"])
        try await home.run("revert", "2019-04-29").succeeds()
        #expect(try await told() == ["2019-04-30", "2019-04-28", "2019-04-27"])
    }

    @Test(
        "status and search say how to begin where nothing has been mirrored",
        arguments: ["status", "search x", "verify"])
    func before(command: String) async throws {
        let home = try CommandSandbox()
        try await home.shell("\"$1\" \(command) \"${@:2}\"").fails(
            output: "", errors: .starting("apod-mirror: there is no \(home.root);"), .containing("`apod-mirror sync`"))
        #expect(access(home.root, F_OK) != 0)
    }

    @Test("status and search say what a folder is that is there, and no mirror, or one without its catalog")
    func folders() async throws {
        let home = try CommandSandbox(days: 1)
        #expect(mkdir(home.root, 0o755) == 0)
        func said() async throws -> String { try await home.run("status").errors }
        let none = "apod-mirror: there is no mirror in \(home.root); one is begun there by `apod-mirror sync`. If "
        #expect(try await said().hasPrefix(none))
        try home.write("{}", to: "APOD/letter.odt")
        let others = "apod-mirror: there is no mirror in \(home.root), but there are other things, like “letter.odt”; "
        #expect(try await said().hasPrefix(others))
        for name in ["2019", "2019/04"] { #expect(mkdir(home[name], 0o755) == 0) }
        try home.write("{}", to: "APOD/2019/04/2019-04-30 Orion.json")
        let lacking = "apod-mirror: there is no catalog of a mirror in \(home.root) yet; it is made from what is there "
        #expect(try await said() == "\(lacking)by `apod-mirror sync`\n")
    }

    @Test("status and search tell what there is")
    func after() async throws {
        let home = try await CommandSandbox(days: 3).synced()
        // Who asks for some days has not asked for what is new.
        #expect(try await home.json("status")["last_refresh"]?.text == "null")
        try await home.run("sync").succeeds()
        let status = try await home.run("status")
        status.succeeds(errors: "")
        let lines = [
            "folder        \(home.root)", "days          3, from 2019-04-28 to 2019-04-30", "free on disk  ",
            "\nno picture    27 (NASA has none for these days)\n",
        ]
        for line in lines {
            #expect(status.output.contains(line))
        }
        let json = try await home.json("status")
        #expect(Self.keys.subtracting(try #require(json.members).keys) == [])
        #expect(json["root"]?.string == home.root)
        #expect(json["pictures"]?.integer == 3 && json["days"]?.integer == 3)
        #expect(json["oldest"]?.string == "2019-04-28" && json["newest"]?.string == "2019-04-30")
        // The upstream was asked and has no such days.
        #expect(json["missing"]?.integer == 0 && json["absent"]?.integer == 27 && json["failed"]?.integer == 0)
        #expect(json["last_refresh"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
        #expect((json["bytes"]?.integer ?? 0) > 60_000)
        // By the clock of whoever asks.
        let moment = try #require(json["last_refresh"]?.string.flatMap(Time.seconds)) + 9 * 3600
        try await home.shell("TZ=JST-9 \"$@\"", "status").says(
            output: .containing("last refresh  \(Time.text(moment).prefix(16).replacing("T", with: " "))\n"))
    }

    @Test("status and search tell whether a service runs, and how to start one")
    func stopped() async throws {
        let stopped = try await CommandSandbox(days: 1).synced().run("status").unwrapped
        #expect(stopped.contains(Self.byHand))
        #expect(!stopped.contains("watching") && !stopped.contains("next refresh"))
    }

    private static let byHand = "\nservice       stopped `apod-mirror run` starts it in this terminal\n"

    @Test(
        "status and search tell how to start a service of systemd that is stopped, and what keeps it from starting",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func service() async throws {
        let home = try await CommandSandbox(days: 1).synced()
        let units = "\(home.folder.path)/.config/systemd/user/default.target.wants"
        try await home.shell("mkdir -p '\(units)' && touch '\(units)/apod-mirror.service'").succeeds()
        func status(systemd: Bool = true) async throws -> Program.Outcome {
            try await home.privately("\(CommandSandbox.booted(systemd: systemd)) && exec \"$@\"", ["status"])
        }
        #expect(try await status(systemd: false).unwrapped.contains(Self.byHand))
        func complaints() async throws -> String {
            let outcome = try await status()
            #expect(outcome.status == (outcome.errors.isEmpty ? 0 : 1))
            return outcome.errors
        }
        #expect(try await complaints().isEmpty)
        #expect(
            try await status().unwrapped.contains(
                "\nservice       stopped `systemctl --user start apod-mirror` starts it\n"))
        // A mirror that its settings name is to be kept; another is not.
        for (root, isKept) in [(home.folder.appending("other"), false), (home.root, true)] {
            try home.write("root = \(root)\n", to: ".config/apod-mirror.conf")
            let words = "apod-mirror: service stopped; `systemctl --user start apod-mirror` starts it\n"
            #expect(try await complaints() == (isKept ? words : ""))
            // Where both outputs are read together, it is said once.
            let both = try await home.privately("\(CommandSandbox.booted()) && exec \"$@\" 2>&1", ["status"])
            #expect(both.output.split(separator: "stopped").count == 2 && both.status == (isKept ? 1 : 0), "\(both)")
        }
        // With a mistake in what it reads, it would end at once.
        try home.write("keeep = 9d\n", to: ".config/apod-mirror.conf")
        let mistaken = try await status().output.replacing(#/\s+/#, with: " ")
        let file = "\(home.folder.path)/.config/apod-mirror.conf"
        let advice = "it does not start with what is wrong in \(file): correct that, then `systemctl --user start"
        #expect(mistaken.contains(" service stopped \(advice) apod-mirror` "))
    }

    @Test(
        "status and search fails, and says why, beside a service that does not answer, or that has nothing for more than a day"
    )
    func outage() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let home = mirror.sandbox
        home.nasa.intercept = { _ in .html(503) }
        let program = try await mirror.rested()
        try await home.run("status").succeeds()
        try Catalog(in: home.root).setFact(.lastRefresh, 1_500_000_000)
        try await home.run("status").succeeds()
        try await home.run("sync").fails()
        for words in [["status"], ["status", "--json"]] {
            let outcome = try await home.shell("TZ=UTC exec \"$@\"", words)
            let complaint = "apod-mirror: no refresh has succeeded since 2017-07-14 02:40\n"
            #expect(outcome.status == 1 && outcome.errors == complaint && !outcome.output.isEmpty, "\(outcome)")
        }
        program.send(SIGSTOP)
        try await home.run("status").fails(errors: .starting("apod-mirror: service running, and does not answer; "))
        program.send(SIGCONT)
        try await mirror.stop().succeeds()
        try await home.run("status").succeeds()
    }

    @Test(
        "status and search say that a catalog that was deleted under the service comes back, and when, and so does all that needs it"
    )
    func deletedCatalog() async throws {
        let mirror = try await ServiceSandbox()
        let home = mirror.sandbox
        let program = try await mirror.rested()
        // Otherwise, it could notice.
        program.send(SIGSTOP)
        try await home.shell("rm '\(home.root)'/.apod-mirror/catalog*").succeeds()
        let words = "when it looks there next. To have it look at once: stop the service and start it again\n"
        for command in [["status"], ["favorites"], ["search", "x"], ["thumbnails"]] {
            try await home.run(command).fails(errors: .ending(words), .lines(1))
        }
        program.send(SIGCONT)
        try await mirror.stop().succeeds()
    }

    @Test(
        "status and search name the machine's service only for a mirror that is that service's",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"),
        arguments: [true, false], [true, false])
    func machineService(isOwner: Bool, isGuest: Bool) async throws {
        let home = try await CommandSandbox(days: 1).synced()
        // As a service publishes it.
        let status = "{\"root\": \"\(home.root)\", \"service\": null, \"conditions\": []}"
        let report = "{\"published\": \"2026-11-20T00:00:00Z\", \"status\": \(status)}"
        if isGuest { try home.write(report, to: "APOD/.apod-mirror/status.json") }
        let guest = isGuest ? CommandSandbox.nobody : ""
        func run(_ word: String, systemd: Bool = true) async throws -> Program.Outcome {
            let owner = isOwner ? "chown 4321 '\(home.root)/.apod-mirror' && " : ""
            return try await home.privately(
                "\(Self.machine(home.root, systemd: systemd)); \(owner)exec \(guest) \"$@\"", [word])
        }
        for systemd in [true, false] {
            let outcome = try await run("status", systemd: systemd)
            let ofMachine =
                systemd
                ? "`sudo systemctl start apod-mirror` starts it"
                : "`sudo /usr/libexec/apod-mirror/run` starts it in this terminal"
            let advice = isOwner ? ofMachine : "`apod-mirror run` starts it in this terminal"
            let guestsAdvice = isOwner ? ofMachine : "whoever keeps the mirror can start it"
            let told = isGuest ? "stopped, or waits for the mirror; \(guestsAdvice)" : "stopped; \(advice)"
            #expect(outcome.unwrapped.contains("\nservice       \(told.replacing("; ", with: " "))\n"), "\(outcome)")
            #expect(outcome.status == (isOwner ? 1 : 0), "\(outcome)")
            let errors = isOwner ? "apod-mirror: service \(told)\n" : ""
            outcome.says(errors: .being(errors))
        }
        if isGuest { return }
        try await home.shell("rm '\(home.root)'/2019/04/*.jpg").succeeds()
        let repair = "\(isOwner ? "sudo " : "")apod-mirror verify --repair --config \(home.configuration)"
        for word in ["verify", "show"] { #expect(try await run(word).commands == [repair]) }
    }

    /// The package is installed, and keeps this root. /etc is as nobody else sees it.
    private static func machine(_ root: String, systemd: Bool) -> String {
        """
        \(CommandSandbox.systemService(systemd: systemd)) && mount -t tmpfs none /etc
        printf 'root:x:0:0::/:\napod-mirror:x:4321:4321::/:\n' >/etc/passwd
        echo 'root = \(root)' >/etc/apod-mirror.conf
        """
    }

    @Test(
        "status and search say that the service has not started yet where it is to begin a mirror, and how to start it",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"), arguments: [true, false])
    func notStarted(systemd: Bool) async throws {
        let home = try CommandSandbox()
        let anew = "sudo systemctl daemon-reload && sudo systemctl restart apod-mirror"
        let byHand = "`sudo /usr/libexec/apod-mirror/run` starts it in this terminal"
        for (make, start) in [("true", anew), ("mkdir '\(home.root)'", "sudo systemctl start apod-mirror")] {
            let script = "\(Self.machine(home.root, systemd: systemd)); \(make); exec \"$@\""
            let lack = "apod-mirror: there is no mirror in \(home.root) yet: the service has not started there; "
            try await home.privately(script, ["status"]).fails(
                output: .ending("/etc/apod-mirror.conf is there too, and is not read\n"),
                errors: "\(lack)\(systemd ? "`\(start)` starts it" : byHand)\n")
        }
    }

    @Test(
        "status and search name the settings that are not read, and the enabled service that keeps another mirror",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"), arguments: [true, false])
    func otherMirror(isEnabled: Bool) async throws {
        let home = try await CommandSandbox(days: 1).synced()
        try await home.shell("mkdir -p '\(home.folder.path)/.config'").succeeds()
        try home.write("root = /mine\n", to: ".config/apod-mirror.conf")
        let wants = "/etc/systemd/system/multi-user.target.wants"
        let script = """
            \(CommandSandbox.systemService(systemd: true)) && mount -t tmpfs none /etc
            echo 'root = /srv/other' >/etc/apod-mirror.conf && mkdir -p \(wants)
            \(isEnabled ? "touch \(wants)/apod-mirror.service && " : "")exec "$@"
            """
        let files = ["\(home.folder.path)/.config/apod-mirror.conf", "/etc/apod-mirror.conf"]
        let told =
            isEnabled
            ? "`sudo systemctl start apod-mirror` starts the service that keeps /srv/other"
            : "`apod-mirror run` starts it in this terminal"
        let outcome = try await home.privately(script, ["status"])
        outcome.succeeds(errors: "")
        #expect(outcome.unwrapped.contains("\nservice       stopped \(told)\n"))
        let rows = ["\nsettings      from \(home.configuration)"] + files.map { "\($0) is there too, and is not read" }
        #expect(outcome.unwrapped.contains(rows.joined(separator: " ")))
    }

    @Test("status and search tell what is missing and why")
    func missing() async throws {
        let home = try CommandSandbox(days: 3)
        home.nasa.answer("190428_", .html(404))
        try await home.sync().fails()
        let json = try await home.json("status")
        #expect(json["failed"]?.integer == 1)
        let failure = try #require(json.conditions("failed").first)
        #expect(failure["dates"]?.elements?.map(\.string) == ["2019-04-28"])
        #expect(failure["failure"]?["code"]?.string == "refused" && json["incomplete"]?.integer == 0)
        #expect(failure["failure"]?["reason"]?.string == "not there (404)")
        #expect(failure["failure"]?["address"]?.string?.hasPrefix("http") == true)
        let earlier = try await home.json("status", "since=2019-03-01")
        #expect(earlier["missing"]?.integer == 31)
    }

    @Test("status and search tell why a favorite has no picture, and why a date is none")
    func wishes() async throws {
        let home = try await CommandSandbox(days: 1).synced()
        for name in ["1995-06-17", "2094-01-01", "1990-01-01", "2019-02-30"] {
            try home.link(name, to: name)
        }
        try await home.sync().fails()
        let status = try await home.run("status").output
        let told = "  1995-06-17: NASA has no picture for this day\n"
        #expect(status.contains("\nfavorites without a picture:\n" + told))
        #expect(status.contains("\nfavorites     1 (1 without a picture)\n"))
        #expect(status.contains("\n  2094-01-01: a link to a day that has not come yet\n"))
        #expect(status.contains("\n  1990-01-01: a link to a date that is no day of APOD's\n"))
        #expect(status.contains("\n  2019-02-30: a link to a date that is no day of APOD's\n"))
        let json = try await home.json("status").conditions("pending")
        #expect(json.map { $0["date"]?.string } == ["1995-06-17"])
        #expect(json.first?["reason"]?.string == "NASA has no picture for this day")
        try await home.run("favorites").says(output: "1995-06-17  NASA has no picture for this day\n", errors: "")
    }

    @Test("status and search tell how many favorites have no picture, and how to see those that are not named")
    func manyWishes() async throws {
        let home = try await CommandSandbox(days: 1).synced()
        let (early, late) = ("1995-06-17", (10...21).map { "1996-01-\($0)" })
        try await home.run(["favorites", "add", early] + late).succeeds()
        let status = try await home.run("status").unwrapped
        #expect(status.contains("\nfavorites     13 (13 without a picture)\n"))
        let told = ([early] + late).prefix(10).map { "\($0): still to be fetched " }.joined()
        #expect(status.contains("picture: \(told)and 3 more; `apod-mirror status --json` lists them\n"))
        try await home.shell("cd '\(home.root)/favorites' && rm 1996-01-1[1-9] 1996-01-2*").succeeds()
        _ = try await home.sync()
        try await home.run("status").says(
            output: .containing("picture:\n  1995-06-17: NASA has no picture for this day\n  1996-01-10: "),
            .without("more; "))
    }

    @Test(
        "status and search tell that there is a file or a link instead of the favorites folder, and so do all that need it"
    )
    func noFolder() async throws {
        let home = try CommandSandbox(days: 1)
        let (favorites, away) = (home["favorites"], home.folder.appending("away"))
        func lost() async throws -> [String?] {
            try await home.json("status").conditions("folder-lost").map { $0["folder"]?.string }
        }
        try await home.sync().succeeds()
        #expect(rmdir(favorites) == 0)
        try home.write("mine", to: "APOD/favorites")
        #expect(try await lost() == ["not-folder"])
        #expect(unlink(favorites) == 0)
        try await home.run("favorites", "restore").succeeds(output: .starting("made favorites\n"))
        #expect(try await lost() == [])
        try await home.run("favorites", "add", "\(CommandSandbox.newest)").succeeds()
        try home.write("mine", to: "APOD/favorites/own.txt")
        try await home.sync().succeeds()
        try await home.run("status").says(output: .containing("\nleft alone in favorites:\n  own.txt"))
        #expect(rename(favorites, away) == 0 && symlink(away, favorites) == 0)
        let restore = "put the folder back, or `apod-mirror favorites restore` makes it again with its links"
        let link = "\(favorites) is a file or a link, not a folder"
        let words = "\(link); all favorites stay; rename or delete it, then \(restore)"
        // Nothing is said of what was in it.
        let status = try await home.run("status").unwrapped
        #expect(status.contains("no favorites folder: \(words)\n") && !status.contains("left alone"), "\(status)")
        #expect(try await lost() == ["not-folder"])
        #expect(try await home.json("status")["unrecognised"]?.integer == 0)
        try await home.run("favorites").says(
            output: .starting("\(CommandSandbox.newest)  "), errors: "apod-mirror: \(words)\n")
        for action in ["add", "remove", "restore"] {
            try await home.run("favorites", action, "\(CommandSandbox.newest)").fails(errors: "apod-mirror: \(words)\n")
        }
        #expect(unlink(favorites) == 0)
        try await home.run("favorites", "restore").succeeds()
        #expect(try await home.run("favorites").errors.isEmpty)
    }

    @Test("status and search say how to go on where the mirror's own folder was deleted, and nothing is lost")
    func ownFolder() async throws {
        let home = try await CommandSandbox(days: 3).synced()
        try await home.run("favorites", "add", "\(CommandSandbox.newest)").succeeds()
        let (files, asked) = (try await home.files(), home.nasa.requests.count { $0.path.hasPrefix(Entry.originals) })
        try await home.shell("rm -r '\(home.root)/.apod-mirror'").succeeds()
        var command = ""
        for words in [["status"], ["favorites"], ["search", "x"], ["sync"], ["verify"]] {
            let outcome = try await home.run(words)
            #expect(outcome.status == 1, "\(words): \(outcome)")
            outcome.says(errors: .containing("\(home.root) has no mirror in it any more"))
            let told = outcome.errors.split(
                separator: "; if you deleted it on purpose, or only .apod-mirror, `", maxSplits: 1)
            command = String(try #require(told.last).prefix { $0 != "`" })
        }
        try await home.shell(command).succeeds()
        try await home.sync().succeeds(errors: .containing("made a new catalog from the 3 days"))
        #expect(try await home.files() == files)
        #expect(home.nasa.requests.count { $0.path.hasPrefix(Entry.originals) } == asked)
        #expect(try await home.run("favorites").output.hasPrefix("\(CommandSandbox.newest)  "))
    }

    @Test("status and search find days by their words")
    func search() async throws {
        let home = try await CommandSandbox([
            Entry(Day("2019-04-28")!, title: "A Lantern"), Entry(Day("2019-04-29")!, .text, title: "Kettles & Stars"),
        ]).synced()
        let found = try await home.run("search", "kettles")
        found.succeeds(output: "2019-04-29  Kettles & Stars\n", errors: "")
        let path = home["2019/04/2019-04-29 Kettles & Stars.json"]
        #expect(try await home.run("search", "kettles", "--paths").output == "\(path)\n")
        let document = try await home.run("search", "--json", "kettles").outputBytes
        let json = try #require(try JSONText(document).elements)
        #expect(json.map { $0.members?.keys.sorted() } == [["date", "excerpt", "path", "title"]])
        #expect(json[0]["date"]?.string == "2019-04-29" && json[0]["title"]?.string == "Kettles & Stars")
        #expect(json[0]["path"]?.string == path)
        let excerpts = try JSONText(await home.run("search", "--json", "the").outputBytes).elements ?? []
        #expect(excerpts.count == 2)
        for found in excerpts { #expect(found["excerpt"]?.string?.contains(/the/.ignoresCase()) == true) }
        for found in excerpts { #expect(found["excerpt"]?.string?.contains { $0 < " " } == false) }
        for words in [["Lant"], ["a lantern"], ["--", "lantern"]] {
            let outcome = try await home.run(["search", "--config", home.configuration] + words)
            #expect(outcome.lines.first == "2019-04-28  A Lantern")
        }
        let nothing = try await home.run("search", "\u{1b}[2Jzebra\"", "OR", "*")
        #expect(nothing.status == 0 && nothing.output.isEmpty && nothing.isPlain)
        nothing.says(errors: .starting("apod-mirror: nothing found for “"), .containing("zebra"))
        try await home.run("search", "zebra", "--json").succeeds(output: "[]\n", errors: "")
    }

    @Test("status and search find the best hundred where there are more, and say so")
    func searchMany() async throws {
        let home = try CommandSandbox()
        let fixture = try ArchiveFixture(root: home.root)
        for number in 0..<101 {
            if number == 99 {
                #expect(try await home.run("search", "lantern").errors.isEmpty)
            }
            try await fixture.add(CommandSandbox.newest.advanced(by: -number), "A Lantern", "Its light.", [])
        }
        try await home.run("search", "lantern").succeeds(
            output: .lines(100), errors: "apod-mirror: only the best 100 are shown\n")
    }
}
