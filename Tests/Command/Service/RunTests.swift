import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

struct RunTests {
    @Test("A service that was killed is not said to watch")
    func stale() async throws {
        let mirror = try await ServiceSandbox.watching()
        let sandbox = mirror.sandbox
        #expect(try await sandbox.json("status")["watching"]?.string == "inotify")
        _ = try await mirror.stop(by: SIGKILL)
        // Nor by nobody.
        let left = try await sandbox.json("status")
        #expect(left["watching"]?.text == "null" && left["next_refresh"]?.text == "null")
        let day = CommandSandbox.newest.advanced(by: -400)
        sandbox.nasa.add(Entry(day))
        sandbox.nasa.answer(day.compact, .hanging)
        let sync = try sandbox.start("sync", "\(day)")
        try await sandbox.nasa.server.request { $0.path.contains(day.compact) }
        #expect(Archive.isInUse(root: mirror.root))
        let status = try await sandbox.json("status")
        #expect(status["watching"] != nil && status["watching"]?.string == nil)
        sync.kill()
    }

    @Test("A service goes on where nothing that it tells can be written")
    func fullOutput() async throws {
        let mirror = try await ServiceSandbox()
        let sandbox = mirror.sandbox
        let words = ["-c", "exec \"$@\" >/dev/full 2>&1", "bash", CommandSandbox.program] + sandbox.words(["run"])
        let program = try Program("/bin/bash", words, environment: sandbox.environment, limit: .seconds(180))
        func eventuallyWatching(_ state: String) async throws {
            try await lookOut(for: state) { try await sandbox.json("status")["watching"]?.string == state }
        }
        // What is told of that is a notice, and of the other a warning.
        try await eventuallyWatching("inotify")
        rename(mirror.folder, mirror["aside"])
        try await eventuallyWatching("lost")
        rename(mirror["aside"], mirror.folder)
        try await eventuallyWatching("inotify")
        try mirror.link("mine", to: "../\(try mirror.picture(0))")
        try await mirror.eventually { try mirror.count() == 1 }
        program.send(SIGTERM)
        try await program.finished().succeeds()
    }
}
