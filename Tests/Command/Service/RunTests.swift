import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@Suite("The program that runs")
struct RunTests {
    /// Made by a program of their own: no process with threads may enter one.
    private static let hasUserNamespaces = geteuid() == 0 && Glibc.system("unshare -U -r true 2>/dev/null") == 0

    @Test("says when it watches, remembers a link at once, and stops at once")
    func link() async throws {
        let attendance = try await Attendance()
        try await attendance.start()
        let start = ContinuousClock.now
        try attendance.link("mine", to: "../\(try attendance.picture(0))")
        try await attendance.eventually { try attendance.count() == 1 }
        #expect(.now - start < .milliseconds(500))
        let status = try await attendance.household.json("status")
        #expect(status["favorites"]?.integer == 1)
        #expect(status["watching"]?.string == "inotify")
        let asked = ContinuousClock.now
        let outcome = try await attendance.stop()
        outcome.succeeds()
        #expect(try #require(outcome.endTime) - asked < .milliseconds(500))
        #expect(outcome.errors == "")
        let after = try await attendance.household.json("status")
        #expect(after["watching"]?.string == nil)
    }

    @Test("finds after a restart what was made while it was down, and what it did not live to see")
    func killed() async throws {
        let attendance = try await Attendance()
        let picture = try attendance.picture(0)
        mkdir(attendance.folder, 0o755)
        try attendance.link("before", to: "../\(picture)")
        for round in 0..<2 {
            try await attendance.start()
            try attendance.link("last \(round)", to: "../\(picture)")
            #expect(try await attendance.stop(by: SIGKILL).end == .signalled(SIGKILL))
            try attendance.link("down \(round)", to: "../\(picture)")
        }
        try await attendance.start()
        try await attendance.eventually { try attendance.count() == 5 }
    }

    @Test("is not said to watch by whoever writes after it was killed")
    func stale() async throws {
        let attendance = try await Attendance.watching()
        let household = attendance.household
        #expect(try await household.json("status")["watching"]?.string == "inotify")
        _ = try await attendance.stop(by: SIGKILL)
        // Nor by nobody.
        let left = try await household.json("status")
        #expect(left["watching"]?.text == "null" && left["next_refresh"]?.text == "null")
        let day = Household.newest.advanced(by: -400)
        household.nasa.add(Entry(day))
        household.nasa.answer(day.compact, .hanging)
        let sync = try household.start("sync", "\(day)")
        try await household.nasa.server.request { $0.path.contains(day.compact) }
        #expect(Archive.isInUse(root: attendance.root))
        let status = try await household.json("status")
        #expect(status["watching"] != nil && status["watching"]?.string == nil)
        sync.kill()
    }

    @Test("goes on when there is room again on a full disk", .enabled(if: Disk.canBeMade))
    func full() async throws {
        let disk = try Disk("tmpfs", "size=8m")
        let attendance = try await Attendance(settings: "root = \(disk.path)/APOD")
        let folder = "\(disk.path)/APOD/favorites"
        let program = try await attendance.start(limit: .seconds(60))
        let catalog = try #require(try Archive.catalogToRead(root: "\(disk.path)/APOD"))
        let newest = try #require(try catalog.status(of: Household.newest)?.stored)
        let picture = "../\(Household.newest.folder)/\(newest.main)"
        try disk.fill(with: "ballast")
        let made = (0..<5000).prefix { symlink(picture, "\(folder)/\($0)") == 0 }.count
        try await program.complained(" free; the service goes on when there is room")
        unlink("\(disk.path)/ballast")
        // On a busy machine, it has tried so often that its pause is the longest.
        try await attendance.eventually(within: .seconds(45)) {
            let root = try Folder.open("\(disk.path)/APOD")
            return try FavoritesLog(toRead: root, at: 0).favorites.first?.links.count == made
        }
        #expect(made > 0)
    }

    @Test("goes on where nothing that it tells can be written")
    func fullOutput() async throws {
        let attendance = try await Attendance()
        let household = attendance.household
        let words = ["-c", "exec \"$@\" >/dev/full 2>&1", "bash", Household.program] + household.words(["run"])
        let program = try Program("/bin/bash", words, environment: household.environment, limit: .seconds(180))
        func eventuallyWatching(_ state: String) async throws {
            while try await household.json("status")["watching"]?.string != state {}
        }
        // What is told of that is a notice, and of the other a warning.
        try await eventuallyWatching("inotify")
        rename(attendance.folder, attendance["aside"])
        try await eventuallyWatching("lost")
        rename(attendance["aside"], attendance.folder)
        try await eventuallyWatching("inotify")
        try attendance.link("mine", to: "../\(try attendance.picture(0))")
        try await attendance.eventually { try attendance.count() == 1 }
        program.send(SIGTERM)
        try await program.finished().succeeds()
    }

    @Test("reads its settings anew when it is hung up, and keeps them if there is something wrong with them")
    func hangUp() async throws {
        let attendance = try await Attendance(days: 5)
        let household = attendance.household
        let program = try await attendance.start()
        let settings = try household.settings
        try household.set(settings + "\nkepp = forever\n")
        program.send(SIGHUP)
        try await program.complained("mirror.conf:6: unknown setting “kepp”; did you mean keep?")
        let status = try await Program.run(
            Household.program, ["status", "--root", attendance.root, "--config", "/dev/null"],
            environment: household.environment)
        #expect(status.output.contains("settings refused:"))
        // Put right, and not read yet.
        try household.set(settings)
        household.nasa.add(Entry(Day("2019-03-30")!, title: "Early"))
        try household.set(settings.replacing("2019-04-01", with: "2019-03-30"))
        program.send(SIGHUP)
        try await program.outcome { $0.output.contains("new settings") && $0.output.contains("2019-03-30 Early") }
        #expect(try await household.run("status").output.contains("settings refused") == false)
        try attendance.link("mine", to: "../\(try attendance.picture(0))")
        try await attendance.eventually { try attendance.count() == 1 }
        try await attendance.stop().succeeds()
    }
}
