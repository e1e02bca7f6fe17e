import Glibc
import TestSupport
import Testing

@Suite(.enabled(if: Disk.canBeMade, "needs root and mount(2)"))
struct FullDiskTests {
    @Test("On a full disk a sync says once what lacks room, where and what to do, then what has come of it")
    func sync() async throws {
        let disk = try Disk("tmpfs", "size=1m")
        let root = "\(disk.path)/APOD"
        let home = try CommandSandbox(
            Entry.days(6, newest: CommandSandbox.newest, bytes: 900_000), settings: "root = \(root)", gallery: "yes")
        for _ in 1...2 {
            let outcome = try await home.sync()
            let words = "no space left on the disk of \(root), of which the mirror keeps 10.5 KB free; make room there"
            outcome.fails(errors: "apod-mirror: \(words)\n")
            let sum = #/[0-9] fetched, [0-9]+ still missing; the next sync tries again\n/#
            #expect(outcome.output.contains(sum), "\(outcome)")
        }
    }

    @Test("On a full disk the status says once what is lacking: of thumbnails, where that stands")
    func status() async throws {
        let disk = try Disk("tmpfs", "size=64m")
        let root = "\(disk.path)/APOD"
        let home = try CommandSandbox(
            Entry.days(2, newest: CommandSandbox.newest, bytes: 300_000), settings: "root = \(root)", thumbnails: "yes")
        try await home.run("sync", "\(CommandSandbox.newest)", "thumbnails=no").succeeds()
        let bare = "\nno thumbnail  1 (to be made) `apod-mirror thumbnails` makes them, or"
        #expect(try await home.run("status").unwrapped.contains(bare))
        try disk.fill(with: "ballast")
        // Room for the catalog, and not for pictures.
        try await home.shell("truncate -s -400K '\(disk.path)/ballast'").succeeds()
        try await home.run("sync").fails()
        let full = try await home.run("status").output
        #expect(full.contains("\nno thumbnail  1 (to be made; see below)\n"))
        #expect(full.split(separator: "no space left").count == 2, "\(full)")
        try await home.shell("rm '\(disk.path)/ballast'").succeeds()
        let after = try await home.run("status").unwrapped
        #expect(after.contains(bare))
        // What was told is looked at now, and not with the next sync.
        #expect(!after.contains("no space left") && !after.contains("last failure"), "\(after)")
    }
}
