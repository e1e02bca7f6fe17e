import Apod
import TestSupport
import Testing

@Suite(.serialized, .enabled("needs strace") { await DiskRecord.isPossible() })
struct KeptOrderTests {
    /// A mirror of two days.
    private func sandbox() async throws -> CommandSandbox {
        let newest = CommandSandbox.newest
        let home = try await CommandSandbox([
            Entry(newest.advanced(by: -1), title: "Clouds"), Entry(newest, title: "Orion"),
        ]).synced()
        return home
    }

    @Test("The order on the disk in which a root is made: its own name, too, is on the disk")
    func root() async throws {
        let home = try CommandSandbox(days: 1)
        let (_, record) = try await home.recorded(["sync", "2019-04-30"], below: home.folder.path)
        #expect(record.story.starts(with: ["make APOD", "sync .", "make APOD/.apod-mirror", "sync APOD"]))
    }

    @Test(
        "The order on the disk in which a mirror begins: each of its own files has its name on the disk before the next step"
    )
    func own() async throws {
        let (_, record) = try await CommandSandbox(days: 1).recorded(["sync", "2019-04-30"])
        let steps = record.story
        let own = steps.indices.filter { steps[$0].contains(" → .apod-mirror/") }.map { Array(steps[$0...].prefix(2)) }
        #expect(
            own == [
                ["rename unfinished/id → .apod-mirror/id", "sync .apod-mirror"],
                ["rename unfinished/since → .apod-mirror/since", "sync .apod-mirror"],
                ["rename unfinished/days-2019.json → .apod-mirror/days/2019.json", "sync .apod-mirror/days"],
            ])
    }

    @Test("The order on the disk in which smaller copies are made: all, and their folders, before the catalog knows")
    func thumbnails() async throws {
        let steps = try await sandbox().steps("thumbnails", "2019-04-30", "gallery=yes", "thumbnails=yes")
        #expect(
            steps.contains([
                "write unfinished/2019-04-30-1280.jpg", "sync unfinished/2019-04-30-1280.jpg",
                "rename unfinished/2019-04-30-1280.jpg → gallery/2019/2019-04-30-1280.jpg", "sync gallery/2019",
            ]))
        let shared = "2019/04/.sh_thumbnails"
        #expect(steps.contains(["sync \(shared)/normal", "sync \(shared)/large", "commit"]))
    }

    @Test(
        "The order on the disk in which smaller copies go with their picture, and the gallery's list of favorites is another: all is on the disk"
    )
    func gallery() async throws {
        let home = try await CommandSandbox(days: 3, gallery: "yes").synced()
        let added = try await home.steps("favorites", "add", "2019-04-30")
        #expect(added.contains { $0.hasSuffix(" → gallery/data/favorites.js") })
        #expect(added.contains("sync gallery/data"))
        let pruned = try await home.steps("sync", "--until", "2019-04-30", "keep=1d")
        #expect(pruned.contains("remove gallery/2019/2019-04-28-480.webp"))
    }

    @Test("The order on the disk in which latest goes with the last picture")
    func latest() async throws {
        let home = try await sandbox()
        try await home.shell("rm '\(home.root)'/2019/04/*.jpg").succeeds()
        let steps = try await home.steps("sync", "2019-04-29")
        #expect(steps.contains(["remove latest", "remove latest.json", "remove latest.jpg", "sync ."]))
    }

    @Test(
        "The order on the disk in which favorites are adopted and listed: the folder, the history, the link, its folder, the list, the root"
    )
    func rediscovered() async throws {
        let home = try await sandbox()
        let picture = home["2019/04/2019-04-29 Clouds.jpg"]
        try await home.shell("ln -s '\(picture)' '\(home.root)/favorites/mine'").succeeds()
        let steps = try await home.steps("sync", "2019-04-30")
        #expect(
            steps.contains([
                "sync favorites", "shorten .apod-mirror/history", "write .apod-mirror/history",
                "sync .apod-mirror/history", "sync .apod-mirror",
            ]))
        let adoption = try #require(steps.firstIndex(of: "symlink favorites/.apod-mirror-#-mine"))
        #expect(adoption > steps.firstIndex(of: "sync .apod-mirror/history")!)
        #expect(
            steps[adoption...].starts(with: [
                "symlink favorites/.apod-mirror-#-mine", "exchange favorites/.apod-mirror-#-mine → favorites/mine",
                "remove favorites/.apod-mirror-#-mine", "sync favorites",
            ]))
        #expect(
            steps.contains([
                "write unfinished/favorites.json", "sync unfinished/favorites.json",
                "rename unfinished/favorites.json → favorites.json", "sync .",
            ]))
    }

    @Test(
        "The order on the disk in which a picture comes back that was moved to the favorites: it is whole before it has its name"
    )
    func returned() async throws {
        let home = try await sandbox()
        let picture = "2019/04/2019-04-29 Clouds.jpg"
        try await home.shell("cd '\(home.root)' && mv '\(picture)' favorites/").succeeds()
        let steps = try await home.steps("sync", "2019-04-30")
        let back = "unfinished/back 2019-04-29 Clouds.jpg"
        #expect(
            steps.filter { $0.contains(back) || $0 == "sync 2019/04" }.starts(with: [
                "write \(back)", "sync \(back)", "rename \(back) → \(picture)",
                "sync 2019/04",
            ]))
    }

    @Test("The order on the disk in which a catalog in which damage was met goes aside, and a new one is made")
    func damaged() async throws {
        let home = try await sandbox()
        let own = ".apod-mirror"
        let spoil = "rm -f *-wal *-shm && echo nonsense > catalog.sqlite"
        try await home.shell("cd '\(home.root)/\(own)' && \(spoil)").succeeds()
        let catalog = "\(own)/catalog.sqlite"
        let steps = try await home.steps("sync", "2019-04-30")
        #expect(
            steps.contains([
                "rename \(catalog) → \(catalog).aside", "remove \(catalog).suspect", "sync \(own)",
            ]))
    }
}
