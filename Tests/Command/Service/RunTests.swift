import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

struct RunTests {
    @Test("The program that runs says when it watches, remembers a link at once, and stops at once")
    func link() async throws {
        let mirror = try await ServiceSandbox()
        try await mirror.start()
        let start = ContinuousClock.now
        try mirror.link("mine", to: "../\(try mirror.picture(0))")
        try await mirror.eventually { try mirror.count() == 1 }
        #expect(.now - start < .milliseconds(500))
        let status = try await mirror.sandbox.json("status")
        #expect(status["favorites"]?.integer == 1)
        #expect(status["watching"]?.string == "inotify")
        let asked = ContinuousClock.now
        let outcome = try await mirror.stop()
        outcome.succeeds()
        #expect(try #require(outcome.endTime) - asked < .milliseconds(500))
        #expect(outcome.errors == "")
        let after = try await mirror.sandbox.json("status")
        #expect(after["watching"]?.string == nil)
    }

    @Test(
        "The program that runs finds after a restart what was made while it was down, and what it did not live to see")
    func killed() async throws {
        let mirror = try await ServiceSandbox()
        let picture = try mirror.picture(0)
        mkdir(mirror.folder, 0o755)
        try mirror.link("before", to: "../\(picture)")
        for round in 0..<2 {
            try await mirror.start()
            try mirror.link("last \(round)", to: "../\(picture)")
            #expect(try await mirror.stop(by: SIGKILL).end == .signalled(SIGKILL))
            try mirror.link("down \(round)", to: "../\(picture)")
        }
        try await mirror.start()
        try await mirror.eventually { try mirror.count() == 5 }
    }

    @Test("The program that runs is not said to watch by whoever writes after it was killed")
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

    @Test(
        "The program that runs goes on when there is room again on a full disk",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func full() async throws {
        let disk = try Disk("tmpfs", "size=8m")
        let mirror = try await ServiceSandbox(settings: "root = \(disk.path)/APOD")
        let folder = "\(disk.path)/APOD/favorites"
        let program = try await mirror.start(limit: .seconds(60))
        let catalog = try #require(try Archive.catalogToRead(root: "\(disk.path)/APOD"))
        let newest = try #require(try catalog.status(of: CommandSandbox.newest)?.stored)
        let picture = "../\(CommandSandbox.newest.folder)/\(newest.main)"
        try disk.fill(with: "ballast")
        let made = (0..<5000).prefix { symlink(picture, "\(folder)/\($0)") == 0 }.count
        try await program.complained(" free; the service goes on when there is room")
        unlink("\(disk.path)/ballast")
        // On a busy machine, it has tried so often that its pause is the longest.
        try await mirror.eventually(within: .seconds(45)) {
            let root = try Folder.open("\(disk.path)/APOD")
            return try FavoritesLog(toRead: root).favorites.first?.links.count == made
        }
        #expect(made > 0)
    }

    @Test("The program that runs goes on where nothing that it tells can be written")
    func fullOutput() async throws {
        let mirror = try await ServiceSandbox()
        let sandbox = mirror.sandbox
        let words = ["-c", "exec \"$@\" >/dev/full 2>&1", "bash", CommandSandbox.program] + sandbox.words(["run"])
        let program = try Program("/bin/bash", words, environment: sandbox.environment, limit: .seconds(180))
        func eventuallyWatching(_ state: String) async throws {
            while try await sandbox.json("status")["watching"]?.string != state {}
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

    @Test(
        "The program that runs reads its settings anew when it is hung up, and keeps them if there is something wrong with them"
    )
    func hangUp() async throws {
        let mirror = try await ServiceSandbox(days: 5)
        let sandbox = mirror.sandbox
        let program = try await mirror.start()
        let settings = try sandbox.settings
        try sandbox.set(settings + "\nkepp = forever\n")
        program.send(SIGHUP)
        try await program.complained("mirror.conf:6: unknown setting “kepp”; did you mean keep?")
        let status = try await Program.run(
            CommandSandbox.program, ["status", "--root", mirror.root, "--config", "/dev/null"],
            environment: sandbox.environment)
        #expect(status.output.contains("settings refused:"))
        // Put right, and not read yet.
        try sandbox.set(settings)
        sandbox.nasa.add(Entry(Day("2019-03-30")!, title: "Early"))
        try sandbox.set(settings.replacing("2019-04-01", with: "2019-03-30"))
        program.send(SIGHUP)
        try await program.outcome { $0.output.contains("new settings") && $0.output.contains("2019-03-30 Early") }
        #expect(try await sandbox.run("status").output.contains("settings refused") == false)
        try mirror.link("mine", to: "../\(try mirror.picture(0))")
        try await mirror.eventually { try mirror.count() == 1 }
        try await mirror.stop().succeeds()
    }
}
