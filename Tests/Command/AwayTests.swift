import Apod
import Glibc
import TestSupport
import Testing

@Suite("A disk in the favorites that does not answer", .serialized, .enabled(if: SilentMount.canBeMade))
struct AwayTests {
    private static let commands = [
        ["status"], ["favorites", "list"], ["favorites", "restore"], ["verify"], ["sync", "2019-04-30"], ["prune"],
    ]

    @Test("keeps neither the service nor a command from anything, and is named")
    func everything() async throws {
        let attendance = try await Attendance()
        let nas = "\(attendance.folder)/nas"
        let mount = try SilentMount(over: nas)
        let household = attendance.household
        for isServed in [true, false] {
            if isServed { try await attendance.rested() }
            try attendance.link(isServed ? "x" : "y", to: "../\(try attendance.picture(isServed ? 0 : 1))")
            if isServed { try await attendance.eventually { try attendance.count() == 1 } }
            for words in Self.commands {
                let outcome = try await household.shell("exec \"$@\"", words)
                #expect(outcome.status == 0, "\(words): \(outcome)")
            }
            let status = try await household.run("status")
            #expect(status.output.contains("\nnot read in favorites:\n  cannot open \(nas): "), "\(status.output)")
            #expect(try await household.run("status", "--json").json()["away"]?.elements?.count == 1)
            if isServed { #expect(try await attendance.stop().status == 0) }
        }
        #expect(try attendance.count() == 2)
        mount.hide()
    }

    @Test("costs nothing but its own days where a month is on it: no start, no stop, and no new catalog")
    func month() async throws {
        let home = try Household(days: 32)
        let words = ["--since", "2019-03-30"]
        #expect(try await home.sync(words).status == 0)
        let latest = target(of: "\(home.root)/latest")
        let month = "\(home.root)/2019/03"
        let mount = try SilentMount(over: month)
        #expect(try await home.shell("rm '\(home.root)'/.apod-mirror/catalog*").status == 0)
        let blind = try await home.sync(words)
        #expect(blind.status == 1 && blind.output.hasSuffix(" 2 failed; the next sync tries again\n"), "\(blind)")
        #expect(target(of: "\(home.root)/latest") == latest)
        let status = try await home.run("status")
        #expect(status.output.contains("does not answer; \(month) is on another disk"), "\(status.output)")
        for words in [["verify"], ["prune"], ["favorites", "add", "2019-03-31"]] {
            let outcome = try await home.shell("exec \"$@\"", words)
            #expect(outcome.status == 0, "\(words): \(outcome)")
        }
        let service = try home.start("run")
        try await service.outcome { $0.output.contains("watching ") || $0.errors.contains("watching ") }
        let start = ContinuousClock.now
        service.send(SIGTERM)
        #expect(try await service.finished().status == 0)
        #expect(.now - start < .seconds(10))
        mount.hide()
        #expect(try await home.sync(words).status == 0)
        #expect(try await home.run("verify").output.hasPrefix("64 files checked"))
    }

    @Test("is looked into when it answers; what it keeps from being done is told, and that is not the service's end")
    func meanwhile() async throws {
        let attendance = try await Attendance()
        let mount = try SilentMount(over: "\(attendance.folder)/nas")
        try await attendance.rested()
        try mount.answer(with: [("x", "../../\(try attendance.picture(0))")])
        try await attendance.eventually { try attendance.count() == 1 }
        mount.fallSilent()
        let removal = try await attendance.household.run("favorites", "remove", "\(Household.newest)")
        let nas = "\(attendance.folder)/nas"
        #expect(removal.status == 1 && removal.output.isEmpty)
        #expect(
            removal.errors == """
                apod-mirror: \(Household.newest) stays a favorite: cannot open \(nas): the disk does not answer\n
                """)
        let addition = try await attendance.household.run("favorites", "add", "\(Household.newest)")
        #expect(addition.status == 0 && addition.output == "\(Household.newest) is a favorite already\n")
        // Somebody unmounts something: everything is looked at.
        do { _ = try Disk("tmpfs") }
        let start = ContinuousClock.now
        #expect(try await attendance.stop().status == 0)
        #expect(.now - start < .seconds(10))
        #expect(try attendance.count() == 1)
        mount.hide()
    }
}
