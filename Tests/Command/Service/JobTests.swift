import Apod
import Glibc
import TestSupport
import Testing

/// Each job is done once by the command itself and once by a service, in two mirrors that are alike.
@Suite(.serialized) struct JobTests {
    private static let newest = CommandSandbox.newest
    /// Older than what a service asks for by itself.
    private static let old = newest.advanced(by: -60)

    /// What was printed by each of several commands, in no order, with their exit statuses, and what there is then.
    private struct Outcome: Equatable {
        var said: [[String]] = []
        var files: [String] = []
    }

    private static func lines(_ text: String, _ home: CommandSandbox) -> [String] {
        let words = text.replacing(home.root, with: "ROOT").replacing(home.nasa.origin, with: "NASA")
            .replacing("the service tries again", with: "the next sync tries again")
            .replacing("the service asks for it", with: "`apod-mirror run` or the next sync asks for it")
        // In whatever order several things are found.
        return words.split(separator: "\n").map { line in
            String(line.hasPrefix(",") ? line.dropFirst() : line.hasSuffix(",") ? line.dropLast() : line)
        }.sorted()
    }

    /// `prepare` makes both mirrors what they are before the commands are run.
    private func outcome(
        by service: Bool, days: Int = 4, settings: String = "", gallery: String = "no", _ commands: [[String]],
        prepare: (CommandSandbox) async throws -> Void
    ) async throws -> Outcome {
        let mirror = try await ServiceSandbox(days: days, settings: settings, gallery: gallery)
        let home = mirror.sandbox
        if service {
            // Made again by the service's first look at the thumbnails, which is then over.
            let copy = "\(home.root)/gallery/2019/\(Self.newest.advanced(by: -1))-480.webp"
            if gallery == "yes" { try await home.shell("rm '\(copy)'").succeeds() }
            try await mirror.rested()
            try await mirror.eventually { gallery == "no" || access(copy, F_OK) == 0 }
            try await mirror.rest()
        }
        try await prepare(home)
        var outcome = Outcome()
        for command in commands {
            let said = try await home.run(command)
            let words = Self.lines(said.output, home) + Self.lines(said.errors, home)
            outcome.said.append(["\(said.status ?? -1)"] + words)
        }
        let find =
            "find . -path ./.apod-mirror -prune -o ! -type d ! -path './gallery/data/*' -printf '%P %l\\n' | sort"
        let found = try await home.shell("cd '\(home.root)' && \(find)")
        outcome.files = found.lines.map(String.init)
        if service { _ = try await mirror.stop() }
        return outcome
    }

    /// Returns what both have come to.
    @discardableResult
    private func both(
        days: Int = 4, settings: String = "", gallery: String = "no", _ commands: [String]...,
        prepare: (CommandSandbox) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        func outcome(by service: Bool) async throws -> Outcome {
            try await self.outcome(
                by: service, days: days, settings: settings, gallery: gallery, commands, prepare: prepare)
        }
        let (alone, served) = (try await outcome(by: false), try await outcome(by: true))
        for (command, (alone, served)) in zip(commands, zip(alone.said, served.said)) {
            #expect(alone == served, "\(command)")
        }
        #expect(alone.files == served.files)
        return alone
    }

    @Test("A job, done by the command itself and by a service sync says and does the same")
    func sync() async throws {
        let days = ["--since", "\(Self.old.advanced(by: -2))", "--until", "\(Self.old)"]
        let (lacking, missing) = (Self.old.advanced(by: -1), Self.old.advanced(by: -9))
        let outcome = try await both(
            ["sync"] + days, ["sync"] + days, ["sync", "\(Self.old)", "\(missing)"],
            ["sync", "--since", "2019-04-20", "--until", "2019-04-10"]
        ) { home async throws in
            for entry in Entry.days(3, newest: Self.old) { home.nasa.add(entry) }
            home.nasa.intercept = { request in
                request.path.hasSuffix(".jpg") && request.path.contains(lacking.compact) ? .html(404) : nil
            }
        }
        #expect(outcome.said[0].contains("in ROOT: 2 fetched, 1 failed; the next sync tries again"))
        #expect(outcome.said.map(\.first) == ["1", "1", "1", "2"], "\(outcome.said)")
        let words = "NASA has no picture for \(missing); some days have none; leave this one out"
        #expect(outcome.said[2].contains("apod-mirror: \(words)"), "\(outcome.said[2])")
    }

    @Test("A job, done by the command itself and by a service prune says and does the same, and then finds nothing")
    func prune() async throws {
        let old = Self.newest.advanced(by: -20)
        // By name, they are fetched though they are too old.
        let days = [Self.newest, old, old.advanced(by: -1)].map(\.description)
        let outcome = try await both(days: 22, settings: "keep = 2d", ["sync"] + days, ["prune"], ["prune"])
        let sync = outcome.said[0]
        let words = " are not to stay (keep = 2d), and will be deleted again. "
        #expect(sync[0] == "0" && sync.contains { $0.contains(words) }, "\(sync)")
        #expect(outcome.said[1] == ["0", "deleted the pictures of 2 days, 40.0 KB"])
        #expect(outcome.said[2] == ["0", "nothing to delete"])
        #expect(outcome.files.contains { $0.hasPrefix("\(old.folder)/\(old)") && $0.contains(".json") })
    }

    @Test(
        "A job, done by the command itself and by a service favorites says and does the same",
        arguments: [[], ["--json"]])
    func favorites(format: [String]) async throws {
        let (first, second, missing) = ("2019-04-30", "2019-04-29", "2019-04-01")
        let outcome = try await both(
            ["favorites", "add", first, second], ["favorites", "add", first] + format,
            ["favorites", "remove", first, missing] + format, ["favorites", "restore", first] + format,
            ["favorites", "restore", "--since", "1h"] + format, ["favorites", "restore", missing] + format,
            ["favorites"], ["favorites", "add", "2094-12-31", "2019-03-30"] + format)
        #expect(outcome.said.map(\.first) == ["0", "0", "1", "0", "0", "1", "0", "1"], "\(outcome.said)")
        #expect(outcome.said[2].contains("apod-mirror: \(missing) has no link in favorites"))
        #expect(outcome.said[6].count == 3 && outcome.files.count { $0.hasPrefix("favorites/") } == 3)
        #expect(outcome.said[7].contains("apod-mirror: 2094-12-31 has not come yet"))
        if format.isEmpty {
            #expect(outcome.said[1] == ["0", "\(first) is a favorite already"])
        } else {
            #expect(outcome.said[1] == ["0", "[]"])
            for (index, change) in [(2, "removed"), (3, "made")] {
                let (front, end) = (#"{"date":"\#(first)","link":"\#(first) "#, #","change":"\#(change)"}"#)
                #expect(outcome.said[index].contains { $0.hasPrefix(front) && $0.hasSuffix(end) })
            }
        }
    }

    @Test(
        "A job, done by the command itself and by a service verify --repair says and does the same",
        arguments: [[], ["--json"]])
    func repair(format: [String]) async throws {
        let verify = ["verify", "--repair"] + format
        let outcome = try await both(verify, verify) { home async throws in
            let script = """
                cd '\(home.root)/2019/04' && truncate -s 100 2019-04-27*.jpg && rm 2019-04-28*.jpg 2019-04-29*.json
                """
            try await home.shell(script).succeeds()
        }
        #expect(outcome.said.map(\.first) == ["0", "0"], "\(outcome.said)")
        let said = outcome.said[0]
        if format.isEmpty {
            let ends = ["1 damaged, 2 missing, 3 repaired", "was damaged, and was fetched again"]
            for end in ends { #expect(said.count { $0.hasSuffix(end) } == 1, "\(said)") }
            #expect(said.count { $0.hasSuffix("was missing, and was fetched again") } == 2, "\(said)")
        } else {
            let counts = ["checked": 8, "damaged": 1, "missing": 2, "repaired": 3]
            for (key, count) in counts { #expect(said.contains("  \"\(key)\": \(count)"), "\(said)") }
        }
        #expect(outcome.files.count { $0.hasPrefix("2019/04/2019") } == 8)
    }

    @Test(
        "A job, done by the command itself and by a service thumbnails says and does the same",
        arguments: [[], ["--json"]])
    func thumbnails(format: [String]) async throws {
        let outcome = try await both(
            gallery: "yes", ["thumbnails", "2019-04-30"] + format, ["thumbnails"] + format, ["thumbnails"] + format,
            ["thumbnails", "2019-04-30", "2019-04-01"] + format
        ) { home async throws in
            let script = """
                cd '\(home.root)' && rm gallery/2019/2019-04-30-* gallery/2019/2019-04-28-* &&
                truncate -s -400 2019/04/2019-04-28*.jpg
                """
            try await home.shell(script).succeeds()
        }
        #expect(outcome.said.map(\.first) == ["0", "1", "1", "1"], "\(outcome.said)")
        #expect(outcome.files.count { $0.hasPrefix("gallery/2019/2019-04-") } == 6, "\(outcome.files)")
        if format.isEmpty {
            #expect(outcome.said[0].dropFirst().allSatisfy { $0.hasPrefix("ROOT/gallery/2019/2019-04-30-") })
            #expect(outcome.said[1].count == 2 && outcome.said[1].contains { $0.contains("2019-04-28") })
        } else {
            let said = outcome.said.map { $0.joined() }
            let files = #""files":["ROOT/gallery/2019/2019-04-30-480.webp","ROOT/gallery/2019/2019-04-30-1280.jpg"]"#
            #expect(said[0].contains(#""state":"made""#) && said[0].contains(files), "\(said[0])")
            #expect(said[1].contains(#""state":"failed""#) && said[1].contains("damaged"), "\(said[1])")
            #expect(said[3].contains(#""reason":"there is no picture""#), "\(said[3])")
        }
    }

    @Test(
        "A job, done by the command itself and by a service thumbnails has nothing to make where there is nothing, in both places"
    )
    func nothing() async throws {
        let outcome = try await both(gallery: "yes", ["thumbnails"], ["thumbnails"])
        #expect(outcome.said == [["0", "nothing to make"], ["0", "nothing to make"]])
        let unwanted = try await both(["thumbnails"])
        #expect(unwanted.said[0].first == "1" && unwanted.said[0].count == 2, "\(unwanted.said)")
    }
}
