import Apod
import Glibc
import TestSupport
import Testing

struct ServiceEndsTests {
    private let newest = CommandSandbox.newest
    private var old: Day { newest.advanced(by: -60) }

    /// A sync of old days that the service does, in the middle of their pictures.
    private func sync(_ mirror: ServiceSandbox, days: Int = 4) async throws -> Program {
        let sandbox = mirror.sandbox
        for entry in Entry.days(days, newest: old) { sandbox.nasa.add(entry) }
        sandbox.nasa.alter { [old] request, response in
            if !request.path.contains(old.compact) { response.ending = .stall(after: 10_000) }
        }
        let since = "\(old.advanced(by: 1 - days))"
        let program = try sandbox.start("sync", "--since", since, "--until", "\(old)", limit: .seconds(180))
        try await program.said("\(old) ")
        for age in 1..<days {
            let day = old.advanced(by: -age).compact
            try await sandbox.nasa.server.request { $0.path.hasPrefix(Entry.originals) && $0.path.contains(day) }
        }
        return program
    }

    private func status(_ mirror: ServiceSandbox) async throws -> JSONText {
        try #require(try await mirror.sandbox.json("status")["service"])
    }

    private func expectToGoOn(_ mirror: ServiceSandbox) async throws {
        mirror.sandbox.nasa.intercept = nil
        let range = ["--since", "\(old.advanced(by: -3))", "--until", "\(old)"]
        try await mirror.sandbox.sync(range).succeeds(output: .ending("3 fetched\n"))
        try await mirror.sandbox.run("verify").succeeds()
    }

    @Test(
        "A sync by a service ends when its command is interrupted, and the service goes on",
        arguments: [SIGINT, SIGKILL])
    func client(signal: Int32) async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let service = try await mirror.rested()
        let program = try await sync(mirror)
        #expect(try await status(mirror)["doing"]?.text.contains("\"sync\"") == true)
        #expect(try await mirror.sandbox.run("status").output.contains("doing         fetching what `sync`"))
        program.send(signal)
        let outcome = try await program.finished()
        if signal == SIGINT {
            outcome.fails(
                output: .ending(": 1 fetched\n"),
                errors: "apod-mirror: stopped by Ctrl-C; the same command goes on from here\n")
        }
        try await lookOut(for: "its end") { try await status(mirror)["doing"]?.text.contains("\"sync\"") == false }
        #expect(service.outcome.end == nil)
        try await expectToGoOn(mirror)
    }

    @Test("A sync by a service says so when the service ends in the middle", arguments: [SIGTERM, SIGKILL])
    func service(signal: Int32) async throws {
        let mirror = try await ServiceSandbox(days: 1)
        try await mirror.rested()
        let program = try await sync(mirror)
        let start = ContinuousClock.now
        let service = try await mirror.stop(by: signal)
        if signal == SIGTERM { service.succeeds() }
        #expect(.now - start < .seconds(10))
        let sum = ": 1 fetched, 3 still missing; the same command tries again\n"
        let words = signal == SIGTERM ? "the service was stopped or has new settings" : "the service went away before"
        try await program.finished().fails(output: .ending(sum), errors: .containing(words), .lines(1))
        // A socket that was left behind is no hindrance.
        let isLeft = Facts(mirror[".apod-mirror/control"]) != nil
        #expect(isLeft == (signal == SIGKILL))
        try await expectToGoOn(mirror)
        try await mirror.start()
        try await mirror.sandbox.run("sync", "\(old)").says(output: "nothing new, 1 unchanged\n")
    }

    @Test("A sync by a service works beside another one for the same days")
    func twoAtOnce() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        try await mirror.rested()
        let days = 12
        let sandbox = mirror.sandbox
        for entry in Entry.days(days, newest: old) { sandbox.nasa.add(entry) }
        sandbox.nasa.alter(below: "/") { _, response in response.delay = .milliseconds(20) }
        let range = ["--since", "\(old.advanced(by: 1 - days))", "--until", "\(old)"]
        let outcomes = try await withThrowingTaskGroup(of: Program.Outcome.self) { group in
            for _ in 0..<5 { group.addTask { try await sandbox.sync(range) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for outcome in outcomes { outcome.succeeds(errors: "") }
        let fetched = outcomes.flatMap { $0.lines.filter { $0.contains(" KB)") } }
        #expect(fetched.count == days)
        let pictures = sandbox.nasa.requests.filter { $0.path.hasPrefix(Entry.originals) }
        #expect(Set(pictures.map(\.path)).count == pictures.count)
        try await sandbox.run("verify").succeeds()
    }
}
