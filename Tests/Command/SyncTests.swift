import Apod
import Glibc
import TestSupport
import Testing

@Suite(.serialized) struct SyncTests {
    @Test("sync fetches what is missing, then finds nothing new")
    func endToEnd() async throws {
        let home = try CommandSandbox(days: 5)
        let first = try await home.sync()
        first.succeeds(errors: "")
        let lines = first.lines
        #expect(lines.count == 6 && lines.last == "in \(home.root): 5 fetched")
        #expect(lines.contains { $0.hasPrefix("2019-04-30 ") && $0.hasSuffix(" (20.0 KB)") })
        #expect(first.isPlain)
        let files = try await home.files()
        #expect(files.count == 10 && files.allSatisfy { $0.hasPrefix("2019/04/2019-04-") }, "\(files)")
        try await home.sync().succeeds(output: .ending("nothing new\n"), errors: "")
        #expect(try await home.files() == files)
    }

    @Test("sync tells at the end what has become of the favorites, and what it leaves alone")
    func favoritesNews() async throws {
        let home = try await CommandSandbox(days: 3).synced()
        let wishes = [CommandSandbox.newest.advanced(by: -400), CommandSandbox.newest.advanced(by: -401)]
        for day in wishes { home.nasa.add(Entry(day, title: "A Wish")) }
        // Of those that are favorites already, it is told only that they have come.
        try await home.run("favorites", "add", "\(wishes[0])").succeeds()
        let pictures = try await home.files(".jpg")
        let script = "cd '\(home.root)' && ln -s \(wishes[1]) favorites && for name; do cp \"$name\" favorites; done"
        try await Program.run("/bin/sh", ["-c", script, "sh"] + pictures).succeeds()
        try home.write("mine", to: "APOD/favorites/own.txt")
        let sync = try await home.sync()
        let taken = "favorites: 4 new, 2 fetched; `apod-mirror favorites list` shows them\n"
        let left = "in favorites, 1 thing is no favorite and stays as it is; `apod-mirror status` says why\n"
        sync.succeeds(output: .ending(" 2 fetched\n\(taken)\(left)"))
        for picture in pictures {
            #expect(target(of: home["favorites/\(picture.dropFirst(8))"]) == "../\(picture)")
        }
        try home.write("mine", to: "APOD/favorites/other.txt")
        let two = "in favorites, 2 things are no favorites and stay as they are; `apod-mirror status` says why\n"
        #expect(try await home.sync().output.hasSuffix("nothing new\n\(two)"))
        // Who does something else is not told of it.
        #expect(try await home.run("prune").output == "nothing to delete\n")
    }

    @Test("sync names the day, the address and what happened when a day fails")
    func failure() async throws {
        let home = try CommandSandbox(days: 3)
        home.nasa.answer("190429", .html(403))
        let reason = "the server answered 403"
        try await home.sync().fails(
            output: .ending("2 fetched, 1 failed; the next sync tries again\n"),
            errors: .starting("apod-mirror: 2019-04-29 failed: \(reason): \(home.nasa.origin)/"), .lines(1))
        let status = try await home.run("status")
        #expect(status.unwrapped.contains(" 2019-04-29  127.0.0.1: \(reason) `"))
        home.nasa.intercept = nil
        try await home.sync().succeeds(output: .ending("1 fetched\n"))
    }

    @Test("sync says that not all is done when no day has failed, but a second look at the newest")
    func secondLook() async throws {
        let sandbox = try CommandSandbox(days: 42)
        // A question that is answered.
        for date in ["2019-03-25", "2019-03-26"] { sandbox.nasa[day(date)] = nil }
        let home = try await sandbox.synced("--since", "2019-03-20")
        home.nasa.intercept = { request in
            request["date_to"] == "190430" || request.path == FakeNASA.articles ? .html(400) : nil
        }
        try await home.sync("--since", "2019-03-20").fails(
            output: .ending("0 fetched; the next sync tries again\n"),
            errors: .starting("apod-mirror: a second look at the days from "), .lines(1))
    }

    @Test("sync says that not all is done when it is a favorite that cannot be had", arguments: [404, nil])
    func favorite(status: Int?) async throws {
        let home = try await CommandSandbox(days: 3).synced()
        let day = CommandSandbox.newest.advanced(by: -400)
        home.nasa.add(Entry(day, title: "A Wish"))
        home.nasa.intercept = { request in
            request.path.hasPrefix(Entry.originals) ? status.map { .html($0) } : nil
        }
        try home.link("\(day)", to: "\(day)")
        let outcome = try await home.sync()
        #expect(outcome.status == (status == nil ? 0 : 1), "\(outcome)")
        #expect(outcome.errors.contains("\(day) failed") == (status != nil))
    }

    @Test("sync fetches the days that are named, and no others")
    func named() async throws {
        let home = try CommandSandbox(days: 20)
        try await home.run("sync", "2019-04-15", "2019-04-20").succeeds(output: .ending("2 fetched\n"))
        let days = Set(try await home.files().map { $0.dropFirst(8).prefix(10) })
        #expect(days == ["2019-04-15", "2019-04-20"])
        try await home.run("sync", "2019-04-15").succeeds(output: "nothing new, 1 unchanged\n")
        try await home.run("sync", "2019-04-15", "2019-04-16").says(output: .ending("1 fetched, 1 unchanged\n"))
        let advice = "some days have none; leave this one out"
        try await home.run("sync", "2019-04-02").fails(
            errors: "apod-mirror: NASA has no picture for 2019-04-02; \(advice)\n")
    }

    @Test(
        "sync counts no day that is not published yet, and neither does status, at whatever hour of it",
        arguments: zip(["2019-05-01 04:01:00", "2019-05-02 03:50:00"], ["", "keep = 5d"]))
    func unpublished(clock: String, keep: String) async throws {
        let today = CommandSandbox.newest.advanced(by: 1)
        let home = try CommandSandbox(days: 9, settings: "since = \(today.advanced(by: -9))\n\(keep)", clock: clock)
        let days = keep.isEmpty ? 9 : 5
        try await home.run("sync").succeeds(output: .ending(": \(days) fetched\n"))
        #expect(try await home.run("sync").output == "nothing new\n")
        #expect(try await home.json("status")["missing"]?.integer == 0)
        try await home.run("sync", "\(today)").fails(
            output: "nothing new\n", errors: "apod-mirror: \(today) is not published yet\n")
    }

    @Test("sync says what has come of it once, also where all that came is what links ask for")
    func onlyWishes() async throws {
        let home = try await CommandSandbox(days: 2).synced()
        home.nasa.add(Entry(Day("2019-03-10")!, title: "A Wish"))
        try home.link("2019-03-10", to: "2019-03-10")
        let outcome = try await home.sync()
        outcome.succeeds(errors: "")
        let lines = outcome.lines
        let end = try #require(lines.firstIndex(of: "in \(home.root): 1 fetched"), "\(outcome)")
        #expect(lines[(end + 1)...].allSatisfy { $0.hasPrefix("favorites: ") }, "\(outcome)")
        outcome.says(output: .without("nothing new"))
        // Beside others, they are counted with them.
        home.nasa.add(Entry(Day("2019-03-11")!))
        home.nasa.add(Entry(Day("2019-03-31")!))
        try home.link("2019-03-11", to: "2019-03-11")
        try await home.sync("--since", "2019-03-31").succeeds(output: .containing("\nin \(home.root): 2 fetched\n"))
    }

    @Test("sync says how to take back a wish for a day that NASA has not")
    func wishForNothing() async throws {
        let home = try await CommandSandbox(days: 1).synced()
        try home.link("2019-03-10", to: "2019-03-10")
        let outcome = try await home.sync()
        outcome.fails(output: .containing("nothing new\n"))
        let command = try #require(outcome.commands.last)
        outcome.says(errors: .starting("apod-mirror: NASA has no picture for 2019-03-10; `"))
        try await home.shell("apod-mirror() { '\(CommandSandbox.program)' \"$@\"; }; \(command)").succeeds()
        #expect(Facts(home["favorites/2019-03-10"]) == nil)
        try await home.sync().succeeds()
    }

    @Test("sync asks for no favorites where nobody can be reached, and blames no day", arguments: [[], ["2019-04-10"]])
    func unreachable(days: [String]) async throws {
        let home = try await CommandSandbox(days: 1).synced()
        try home.link("2019-03-10", to: "2019-03-10")
        home.nasa.server.stop()
        let words = days.isEmpty ? ["--since", "2019-03-31", "--until", "2019-04-30"] : days
        try await home.run(["sync"] + words).fails(
            output: .starting("0 fetched, \(days.isEmpty ? 30 : 1) still missing; the same command tries again\n"),
            errors: .without("failed"),
            .starting("apod-mirror: 127.0.0.1: cannot be reached (connection refused); "), .lines(1), .without("http"))
        #expect(try await home.json("status")["failed"]?.integer == 0)
    }

    @Test("sync tells one cause once, and what an answer is that is none", arguments: [404, 403])
    func refused(status: Int) async throws {
        let home = try CommandSandbox(days: 1)
        home.nasa.intercept = { _ in .html(status) }
        let outcome = try await home.sync("--since", "2019-03-01")
        let words =
            status == 404
            ? "127.0.0.1: no records are at this address (404)"
            : "127.0.0.1: the server answered 403"
        let told = outcome.complaints
        #expect(
            outcome.status == 1 && told.count == 1 && told[0].hasPrefix("apod-mirror: \(words)"),
            "\(outcome)")
        #expect(told[0].hasSuffix("; check the setting `upstream`") == (status == 404))
        outcome.says(output: .ending("0 fetched, 61 still missing; the same command tries again\n"))
        // What is another matter is told, too.
        home.nasa.intercept = {
            $0.target.contains("date_to=\(CommandSandbox.newest.compact)") || $0.path == FakeNASA.articles
                ? .html(status) : nil
        }
        try await home.sync("--since", "2019-03-01").fails(
            errors: .containing("from 2019-04-06 to 2019-04-30 failed: "), .without("upstream"))
    }

    @Test("sync refuses a range that ends before the first day")
    func early() async throws {
        try await CommandSandbox().run("sync", "--until", "2019-03-20").fails(
            2, output: "", errors: .containing("2019-03-20 is before the first day to mirror, 2019-04-01; give --since")
        )
    }

    @Test("sync begins a mirror with its --since, which stays the first day; a later one is for that time alone")
    func firstDay() async throws {
        let home = try CommandSandbox(days: 3)
        try home.set("root = \(home.root)\nupstream = \(home.nasa.origin)\nrate = 0\n")
        try await home.sync("--since", "2019-04-29").succeeds(output: .ending(": 2 fetched\n"))
        try await home.sync().succeeds(output: "nothing new\n")
        try await home.sync("--since", "2019-04-28").succeeds(output: .ending(": 1 fetched\n"))
        #expect(try fileText(home[".apod-mirror/since"]) == "2019-04-29\n")
    }

    @Test(
        "sync fetches a day that a link asks for, and fails for no link to a day that NASA has not or that is to come")
    func wishes() async throws {
        let home = try await CommandSandbox(days: 3).synced()
        home.nasa.add(Entry(Day("2019-03-10")!))
        for day in ["2019-03-10", "2019-04-10", "2019-04-29", "2094-12-31"] {
            try home.link(day, to: day)
        }
        try await home.sync().succeeds(output: .containing(" 1 fetched\n"))
    }

    @Test("sync tries again what failed, within the range that it is given")
    func failedBefore() async throws {
        let home = try CommandSandbox(days: 20)
        let failing = ["2019-04-12", "2019-04-16", "2019-04-20"]
        home.nasa.intercept = { request in
            failing.contains { request.path.contains("\(Day($0)!.compact)_") } ? .html(403) : nil
        }
        try await home.sync("--since", "2019-04-11").fails()
        home.nasa.intercept = nil
        let range = ["--since", "2019-04-14", "--until", "2019-04-18"]
        try await home.run(["sync"] + range).succeeds(output: .ending("1 fetched\n"))
        try await home.sync("--since", "2019-04-13").says(output: .starting("2019-04-20 "))
        // The setting says what is to be there; what was asked for by name before it is tried again all the same.
        try await home.sync("since=2019-04-15").says(output: .starting("2019-04-12 "))
    }

    @Test("sync takes its leave when nobody reads any more")
    func brokenPipe() async throws {
        let home = try CommandSandbox(days: 12)
        home.nasa.alter { _, response in response.delay = .milliseconds(40) }
        try await home.shell(
            "\"$@\" --until 2019-04-30 --connections 1 | head -n 1; echo ${PIPESTATUS[0]}", "sync"
        ).says(output: .ending("\n1\n"), .lines(2), errors: "")
        home.nasa.intercept = nil
        try await home.sync().succeeds()
        try await home.run("verify").succeeds()
        for command in ["--help", "config", "status"] {
            let closed = try await home.shell("\"$@\" >&-; echo $?", command)
            #expect(closed.output == "1\n" && closed.errors.contains("cannot write"), "\(command)")
        }
    }

    @Test("sync asks no proxy")
    func proxy() async throws {
        let home = try CommandSandbox(days: 1)
        let proxy = try HTTPServer { _ in .text("by proxy") }
        let variables = ["http_proxy": proxy.origin, "all_proxy": proxy.origin]
        try await home.run("sync", "--until", "2019-04-30", with: variables).succeeds()
        #expect(proxy.requests.isEmpty)
    }

    @Test("sync waits for nobody: a second one says who is at work")
    func twoAtOnce() async throws {
        let home = try CommandSandbox(days: 2)
        home.nasa.answer(Entry.originals, .hanging)
        let first = try home.start("sync", "--until", "2019-04-30")
        try await home.nasa.server.request { $0.path.hasPrefix(Entry.originals) }
        try await home.sync().fails(output: "", errors: .containing("\(home.root) is in use by process \(first.id);"))
        try await home.run("status").succeeds()
        first.send(SIGTERM)
        try await first.finished().fails()
    }
}
