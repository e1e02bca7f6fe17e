import Apod
import Archive
import Catalog
import Concurrency
import Files
import Glibc
import TestSupport
import Testing
import Watching

@testable import Favorites

@Suite("What went from the favorites folder")
struct DebounceTests {
    private static let settleDelay = Duration.milliseconds(300)
    /// A disk in a file can be made and mounted here.
    private static let hasOldDisks =
        Disk.canBeMade && access("/sbin/mkfs.ext2", X_OK) == 0 && access("/dev/loop-control", F_OK) == 0

    private func wall() async throws -> Wall {
        let wall = try await Wall(settleDelay: Self.settleDelay)
        try wall.link("one", to: "../\(Wall.orionFile)")
        try wall.link("two", to: "../\(Wall.cloudsFile)")
        try wall.lookAndSettle()
        return wall
    }

    /// As often as it takes until something is settled, and for how long that was.
    private func settled(_ wall: Wall) throws -> Duration {
        let start = ContinuousClock.now
        while try !wall.reconciler.settle() {}
        return .now - start
    }

    @Test("is a favorite until it has stayed away for a while")
    func stays() async throws {
        let wall = try await wall()
        try wall.remove("one")
        let start = ContinuousClock.now
        try wall.look(at: "one")
        #expect(try !wall.reconciler.settle())
        // On a machine that was held up, there is nothing to be seen.
        if .now - start < Self.settleDelay { #expect(try wall.days == ["2026-09-13", "2026-11-20"]) }
        _ = try settled(wall)
        #expect(.now - start >= Self.settleDelay)
        #expect(try wall.days == ["2026-09-13"])
    }

    @Test("stays a favorite when the folder does not stand any more after that while")
    func folderGoes() async throws {
        let wall = try await wall()
        try wall.remove("one")
        try wall.look(at: "one")
        rename(wall.folder, wall.shelf.folder.appending("aside"))
        _ = try settled(wall)
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
    }

    @Test("ends in its own time, however restless others are")
    func restless() async throws {
        let wall = try await wall()
        try wall.link("extra", to: "2019-04-10")
        try wall.lookAndSettle()
        try wall.remove("one")
        try wall.look(at: "one")
        let start = ContinuousClock.now
        var number = 0
        while .now - start < Self.settleDelay * 2 {
            number += 1
            try wall.link("new \(number)", to: "2019-04-10")
            try wall.look(at: "new \(number)")
            rename("\(wall.folder)/new \(number)", "\(wall.folder)/extra")
            try wall.look(at: "new \(number)", "extra")
            _ = try wall.reconciler.settle()
        }
        #expect(try wall.days == ["2019-04-10", "2026-09-13"])
    }

    @Test("is waited for until others have rested, but not for longer than that", .timeLimit(.minutes(1)))
    func changesGoOn() async throws {
        let debounce = Debounce(delay: .seconds(600), longest: .seconds(1))
        let isQuiet = Awaited(false)
        debounce.restart()
        async let restless: Void = {
            while !isQuiet.value {
                debounce.restart()
                try await sleep(for: .milliseconds(1))
            }
        }()
        let start = ContinuousClock.now
        #expect(await debounce.waitUntilQuiet())
        isQuiet.update { $0 = true }
        try await restless
        let rest = Debounce(delay: .milliseconds(50), longest: .seconds(600))
        rest.restart()
        #expect(await rest.waitUntilQuiet())
        #expect(.now - start >= .milliseconds(1050))
        // Nothing has changed since.
        #expect(await rest.waitUntilQuiet())
    }

    @Test(
        "was in a folder that is known again, where the disk does not tell when it was made",
        .enabled(if: hasOldDisks))
    func fingerprints() async throws {
        let wall = try await wall()
        let (image, disk) = (wall.shelf.folder.appending("image"), wall.shelf.folder.appending("disk"))
        mkdir(disk, 0o755)
        try await wall.shell(
            "truncate -s 16M \(image); /sbin/mkfs.ext2 -q -I 128 \(image); mount -o loop \(image) \(disk)")
        defer { umount2(disk, Int32(MNT_DETACH)) }
        let outer = try Folder.open(disk)
        let fingerprint = try outer.makeFolder("inner").fingerprint()
        #expect(try outer.folder("inner")?.fingerprint() == fingerprint)
        for _ in 0..<5 {
            rmdir("\(disk)/inner")
            #expect(try outer.makeFolder("inner").fingerprint() != fingerprint)
        }
    }
}
