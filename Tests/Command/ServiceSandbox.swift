import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

/// A sandbox with a few days and a mirror that runs there.
final class ServiceSandbox {
    let sandbox: CommandSandbox
    private(set) var program: Program?

    init(days: Int = 3, settings: String = "", gallery: String = "no") async throws {
        sandbox = try CommandSandbox(days: days, settings: settings, gallery: gallery)
        try await sandbox.sync().succeeds()
        try noteLaterDays()
        // Up to today: the service has nothing to ask for by itself.
        try await sandbox.run("sync").succeeds()
    }

    /// As after a first sync up to today, which asks for each of the thousands of days that have no picture.
    private func noteLaterDays() throws {
        let now = time(nil)
        let days = CommandSandbox.newest.number + 1...Day(utc: now).number - 2
        let changes = days.compactMap(Day.init(daysSince1970:)).map {
            Catalog.Update(.wanting(.day($0), .absent, after: nil, at: now))
        }
        if Archive.hasCatalog(root: root) { try Catalog(in: root).record(changes) }
    }

    var root: String { sandbox.root }
    /// Where something in the mirror is.
    subscript(path: String) -> String { sandbox[path] }

    var folder: String { sandbox["favorites"] }

    /// Returns when the folder is watched.
    @discardableResult
    func start(saying ready: String = "watching ", limit: Duration = .seconds(60)) async throws -> Program {
        let program = try sandbox.start("run", limit: limit)
        self.program = program
        try await program.outcome { $0.output.contains(ready) || $0.errors.contains(ready) }
        return program
    }

    /// The same program under another one, which is to `exec "$@"`.
    @discardableResult
    func start(by script: String, saying ready: String = "watching ") async throws -> Program {
        let program = try Program(
            "/bin/bash", ["-c", script, "bash", CommandSandbox.program] + sandbox.words(["run"]),
            environment: sandbox.environment, limit: .seconds(180))
        self.program = program
        try await program.outcome { $0.output.contains(ready) || $0.errors.contains(ready) }
        return program
    }

    /// The same; returns when it has nothing to do but to wait for the next day.
    @discardableResult
    func rested() async throws -> Program {
        let program = try await start()
        try await rest()
        return program
    }

    func rest() async throws {
        try await lookOut(for: "its rest") {
            let status = try await sandbox.json("status")
            return status["service"]?["doing"]?.text == "[]" && status["next_refresh"]?.string != nil
        }
    }

    func stop(by signal: Int32 = SIGTERM) async throws -> Program.Outcome {
        let program = try #require(program)
        program.send(signal)
        defer { self.program = nil }
        return try await program.finished()
    }

    /// A file of the day that is so many days before the newest, below the root.
    func picture(_ age: Int) throws -> String {
        let day = CommandSandbox.newest.advanced(by: -age)
        let status = try #require(try catalog().item(of: .day(day)))
        return "\(day.folder)/\(try #require(status.stored).main)"
    }

    /// What that file is called.
    func name(_ age: Int) throws -> String {
        String(try #require(try picture(age).split(separator: "/").last))
    }

    func catalog() throws -> Catalog { try #require(try Archive.catalogToRead(root: root)) }
    var log: FavoritesLog { get throws { try FavoritesLog(toRead: Folder.open(root)) } }

    func link(_ name: String, to target: String) throws { try sandbox.link(name, to: target) }

    /// How many links are remembered.
    func count() throws -> Int {
        try log.favorites.reduce(0) { $0 + $1.links.count }
    }

    /// Looks again and again until something holds, for as long as a busy machine may need.
    func eventually(
        within limit: Duration = .seconds(60), every pause: Duration = .milliseconds(2),
        sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: () throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while try !condition() {
            guard .now < deadline else {
                Issue.record("it did not come to that in time", sourceLocation: sourceLocation)
                return
            }
            try await Task.sleep(for: pause)
        }
    }
}
