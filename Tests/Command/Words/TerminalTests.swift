import Apod
import Glibc
import TestSupport
import Testing

@testable import apod_mirror

struct TerminalTests {
    private func slowly(_ home: CommandSandbox) {
        home.nasa.alter { _, response in response.delay = .milliseconds(300) }
    }

    /// What is to be seen at one time or another: the lines as they were drawn over each other.
    private func frames(_ outcome: Program.Outcome) -> [Substring] {
        outcome.output.split(separator: "\r\u{1b}[K", omittingEmptySubsequences: false)
    }

    @Test("A terminal is told after ten seconds how long the rest will take, as long as there is any")
    func timeLeft() {
        func words(_ done: Int, after seconds: Int = 100) -> String {
            ProgressBar(since: .now - .seconds(seconds)).words(done: done, of: 100, bytes: 0, unit: "days")
        }
        #expect(words(25).hasSuffix("/s · about 5 minutes left") && words(25, after: 8).hasSuffix("/s"))
        for done in [0, 100] { #expect(words(done).hasSuffix("/s"), "\(done)") }
    }

    @Test("A terminal shows at once what is waited for, and soon why, where nobody can be reached")
    func outage() async throws {
        let since = NewYork.day(at: time(nil)).advanced(by: -2)
        let home = try CommandSandbox(settings: "since = \(since)\nupstream = http://127.0.0.1:9")
        let outcome = try await home.onTerminal(columns: 60, "sync")
        // In New York, it may be another day by now.
        let frames = frames(outcome).filter { !$0.isEmpty }.map { $0.replacing("4 days", with: "3 days") }
        #expect(outcome.status == 1 && frames.first?.hasPrefix("asking for ") == true, "\(frames)")
        #expect(frames.contains("asking for 3 days"))
        let reason = "3 days · waiting: 127.0.0.1: cannot be reached (connection refused)"
        #expect(frames.contains { $0 == "asking for \(reason)".prefix(59) })
        #expect(frames.contains { $0.contains(#/ · [3-9] s · waiting: /#) })
        #expect(frames.allSatisfy { $0.hasPrefix("apod-mirror: ") || $0.count < 60 })
    }

    @Test("A terminal shows what has come before the first day is there")
    func firstBytes() async throws {
        let home = try CommandSandbox([Entry(CommandSandbox.newest, bytes: 2_000)])
        home.nasa.alter { _, response in response.trickle = .microseconds(300) }
        let frames = frames(try await home.onTerminal("sync", "\(CommandSandbox.newest)"))
        #expect(frames.contains { $0.contains(#/ 0\/1 days · [1-9][0-9.]* (KB|bytes) · /#) })
    }

    @Test("A terminal shows days, bytes and rate of what a service does, and has its line back at the end")
    func bar() async throws {
        let mirror = try await ServiceSandbox(days: 1, settings: "connections = 1")
        let home = mirror.sandbox
        try await mirror.rested()
        let newest = CommandSandbox.newest.advanced(by: -60)
        for entry in Entry.days(8, newest: newest, bytes: 300_000) { home.nasa.add(entry) }
        slowly(home)
        let outcome = try await home.onTerminal("sync", "--since", "\(newest.advanced(by: -7))", "--until", "\(newest)")
        outcome.succeeds()
        let frames = frames(outcome)
        #expect(frames.last == "in \(home.root): 8 fetched\n")
        let bars = frames.dropLast().filter { !$0.isEmpty }
        #expect(bars.contains { $0.contains(#/\] [1-7]/8 days · [1-9][0-9.]* [KM]B · .*/s/#) })
        for bar in bars { #expect(bar.count < 90 && !bar.contains("\n"), "\(bar)") }
    }

    @Test("A terminal that is narrow has no room for a bar, but for the numbers")
    func narrow() async throws {
        let home = try CommandSandbox(days: 4, settings: "since = 2019-04-27\nconnections = 1")
        slowly(home)
        let outcome = try await home.onTerminal(columns: 24, "sync", "--until", "2019-04-30")
        outcome.succeeds()
        let bars = frames(outcome).dropLast().filter { !$0.isEmpty }
        for bar in bars { #expect(bar.count < 24, "\(bar)") }
        #expect(bars.contains { $0.starts(with: #/[1-3]/4 days/#) })
    }

    @Test(
        "A terminal shows where a word was found, wrapped to the window, and nothing so in a pipe",
        arguments: [false, true])
    func wrapped(isServed: Bool) async throws {
        let title = (1...12).map { "Lantern\($0)" }.joined(separator: " ")
        let home = try await CommandSandbox([Entry(Day("2019-04-30")!, title: title)]).synced()
        let service = isServed ? try home.start("run") : nil
        try await service?.said("watching ")
        // A person who may not read the catalog is told by the service.
        let person = isServed && geteuid() == 0 ? CommandSandbox.nobody : ""
        let outcome = try await home.onTerminal(columns: 40, by: person, "search", "patience")
        outcome.says(output: .containing("\u{1b}[1mpatience\u{1b}[22m"))
        let plain = outcome.output.replacing("\u{1b}[1m", with: "").replacing("\u{1b}[22m", with: "")
        let lines = plain.split(separator: "\n")
        #expect(lines.count > 4 && lines.allSatisfy { $0.count <= 40 }, "\(lines)")
        #expect(lines[0].hasPrefix("2019-04-30  Lantern1 ") && lines[1].hasPrefix("            Lantern"), "\(lines)")
        #expect(plain.contains("patience") && lines.last?.hasPrefix("    ") == true, "\(lines)")
        #expect(try await home.run("search", "patience").output == "2019-04-30  \(title)\n")
        service?.send(SIGTERM)
        _ = try await service?.finished()
    }
}
