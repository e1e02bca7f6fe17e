import Apod
import Files
import Glibc
import Synchronization
import Syncing
import TestSupport
import Testing

@testable import apod_mirror

struct InterruptionTests {
    /// A sync in the middle of its first pictures: one is there, the others have begun and do not go on.
    private func sync(_ home: CommandSandbox) async throws -> Program {
        home.nasa.alter { request, response in
            if !request.path.contains("190430") { response.ending = .stall(after: 10_000) }
        }
        let program = try home.start("sync", "--until", "2019-04-30")
        try await program.said("2019-04-30 ")
        for day in ["190429", "190428", "190427"] {
            try await home.nasa.server.request { $0.path.hasPrefix(Entry.originals) && $0.path.contains(day) }
        }
        return program
    }

    private func expectToGoOn(_ home: CommandSandbox) async throws {
        #expect(try await home.files().count == 2)
        try await home.run("verify").succeeds()
        home.nasa.intercept = nil
        try await home.sync().succeeds(output: .ending("3 fetched\n"))
        #expect(try await home.files().count == 8)
        #expect(try await home.run("verify").output.hasPrefix("8 files checked"))
    }

    @Test("An interrupted sync ends soon, and the next one goes on", arguments: [SIGINT, SIGTERM, SIGHUP])
    func once(signal: Int32) async throws {
        let home = try CommandSandbox(days: 4)
        let program = try await sync(home)
        program.send(signal)
        let causes = [SIGINT: " by Ctrl-C", SIGTERM: " by SIGTERM", SIGHUP: ", as its terminal was closed"]
        // A transfer that is not interrupted fails after half a minute, which is told.
        try await program.finished().fails(
            output: .ending(": 1 fetched\n"),
            errors: "apod-mirror: stopped\(causes[signal] ?? ""); the same command goes on from here\n")
        if signal == SIGTERM { try await expectToGoOn(home) }
    }

    @Test("An interrupted sync that is told a second time ends, and the next one goes on")
    func twice() async throws {
        let home = try CommandSandbox(days: 4)
        let program = try await sync(home)
        program.send(SIGINT)
        program.send(SIGINT)
        try await program.finished().fails()
        try await expectToGoOn(home)
    }

    @Test("An interrupted sync leaves the signals to end what follows, such as the check after a repair")
    func released() async throws {
        let display = JobDisplay(JobReport(of: .repair([]), in: "/", asJSON: false))
        let before = [SIGINT, SIGTERM, SIGHUP].map(handler)
        #expect(try await display.run({ _ in }, endsBySignal: true) == .done)
        #expect([SIGINT, SIGTERM, SIGHUP].map(handler) == before)
    }

    private func handler(of signal: Int32) -> Int {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    }

    @Test("An interrupted sync goes on when its terminal is closed, where nohup began it")
    func nohup() async throws {
        let before = signal(SIGHUP, SIG_IGN)
        defer { signal(SIGHUP, before) }
        let ignored = handler(of: SIGHUP)
        let meanwhile = Mutex(0)
        let display = JobDisplay(JobReport(of: .repair([]), in: "/", asJSON: false))
        _ = try await display.run({ _ in meanwhile.withLock { $0 = handler(of: SIGHUP) } }, endsBySignal: true)
        #expect(ignored != 0 && meanwhile.withLock(\.self) == ignored && handler(of: SIGHUP) == ignored)
    }
}
