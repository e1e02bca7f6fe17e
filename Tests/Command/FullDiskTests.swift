import TestSupport
import Testing

@Suite("On a full disk", .enabled(if: Disk.canBeMade))
struct FullDiskTests {
    @Test("a sync says once what lacks room, where and what to do, then what has come of it", arguments: ["no", "yes"])
    func sync(gallery: String) async throws {
        let disk = try Disk("tmpfs", "size=1m")
        let root = "\(disk.path)/APOD"
        let home = try Household(
            Entry.days(6, newest: Household.newest, bytes: 300_000), settings: "root = \(root)", gallery: gallery)
        for _ in 1...2 {
            let outcome = try await home.sync()
            let words = "no space left on the disk of \(root), of which the mirror keeps 10.5 KB free; make room there"
            #expect(outcome.status == 1 && outcome.errors == "apod-mirror: \(words)\n", "\(outcome)")
            let sum = #/[0-9] fetched, [0-9]+ still missing; the next sync tries again\n/#
            #expect(outcome.output.contains(sum), "\(outcome)")
        }
    }
}
