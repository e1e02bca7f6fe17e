import Apod
import Archive
import Catalog
import Files
import Glibc
import Synchronization
import Syncing
import TestMirror
import TestSupport
import Testing

/// The real program, killed as a power cut would end it.
struct KillTests {
    private static let days = 30

    /// The program has no clock but the machine's, to which all of these days are past.
    private let newest = day("2019-04-30")

    private func arguments(_ words: [String], _ root: String, _ nasa: FakeNASA) -> [String] {
        words + ["--root", root, "--upstream", nasa.origin, "--rate", "0"]
    }

    private func sync(_ root: String, _ nasa: FakeNASA) throws -> Program {
        let since = newest.advanced(by: 1 - Self.days)
        return try Program(
            Places.built("apod-mirror"),
            arguments(["sync", "--since", "\(since)", "--until", "\(newest)"], root, nasa),
            environment: ["HOME": root])
    }

    /// Where the server finds the program that it is to kill.
    private final class Target: Sendable {
        private let program = Mutex<Program?>(nil)

        func set(_ program: Program) { self.program.withLock { $0 = program } }

        /// The program asks before it is known here which it is.
        func kill() {
            while true {
                if let program = program.withLock(\.self) { return program.kill() }
                sched_yield()
            }
        }
    }

    /// Syncs until so many more requests were made, and kills then; returns false when the sync ended before.
    private func syncAndKill(after count: Int, _ root: String, _ nasa: FakeNASA) async throws -> Bool {
        let target = Target()
        let asked = Atomic(0)
        nasa.intercept = { _ in
            if asked.add(1, ordering: .relaxed).newValue == count { target.kill() }
            return nil
        }
        let program = try sync(root, nasa)
        target.set(program)
        return try await program.finished().end == .signalled(SIGKILL)
    }

    /// What has a final name is whole: each JSON's files are there, to the byte.
    private func expectWhole(_ root: String) throws {
        for path in listing(root) where path.hasPrefix("2") && path.hasSuffix(".json") {
            let json = try JSONText(contents("\(root)/\(path)"))
            for file in try #require(json["mirror"]?["files"]?.elements) {
                let bytes = try contents("\(root)/\(path.prefix(8))\(file["name"]?.string ?? "")")
                #expect("\(Digest(of: bytes))" == file["sha256"]?.string)
            }
        }
        for path in listing(root) where path.hasPrefix("2") && path.hasSuffix(".jpg") {
            #expect(Facts("\(root)/\(path)")?.bytes == 200_000)
        }
        if let latest = target(of: "\(root)/latest") { #expect(Facts("\(root)/\(latest)") != nil) }
    }

    @Test(
        "A killed sync loses nothing that was done, leaves nothing half done, and the next one completes the work",
        arguments: [1, 7])
    func killed(stride: Int) async throws {
        let nasa = try FakeNASA(Entry.days(Self.days, newest: newest, bytes: 200_000))
        let folder = try TemporaryFolder()
        let (root, reference) = (folder.appending("killed"), folder.appending("whole"))
        var kills = 0
        while kills < 12, try await syncAndKill(after: stride + kills % 4 * stride, root, nasa) {
            kills += 1
            try expectWhole(root)
        }
        #expect(kills > 1)
        nasa.intercept = nil
        let outcome = try await sync(root, nasa).finished()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let verified = try await Program.run(
            Places.built("apod-mirror"), ["verify", "--json", "--root", root], environment: ["HOME": root])
        #expect(verified.status == 0, "\(verified.errors)")
        let report = try JSONText(verified.outputBytes)
        #expect(report["checked"]?.integer == 2 * Self.days)
        #expect(report["damaged"]?.integer == 0)
        #expect(report["missing"]?.integer == 0)
        let whole = try await sync(reference, nasa).finished()
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(files(root) == files(reference))
    }

    /// Without the catalog's log, which stays where a program ends before it has closed the catalog.
    private func files(_ root: String) -> [String] { listing(root).filter { !$0.contains("sqlite-") } }
}
