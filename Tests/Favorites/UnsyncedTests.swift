import Apod
import Archive
import Favorites
import Files
import Glibc
import TestSupport
import Testing

@Suite("An album that cannot be brought to the disk", .enabled(if: CuttableDisk.canBeMade))
struct UnsyncedTests {
    private let orion = "../\(Wall.orionFile)"
    private let clouds = "../\(Wall.cloudsFile)"

    private func failure(_ work: () throws(StorageError) -> Void) -> String? {
        do throws(StorageError) {
            try work()
            return nil
        } catch {
            return error.description
        }
    }

    @Test("holds up nothing but itself, is named, and is noted when its disk is well")
    func album() async throws {
        let wall = try await Wall()
        for (name, target) in [("before", clouds), ("ends", "2019-04-10")] { try wall.link(name, to: target) }
        try wall.lookAndSettle()
        try wall.album("a")
        var disk: CuttableDisk? = try await CuttableDisk(over: "\(wall.folder)/a")
        try wall.link("a/clouds", to: "../\(clouds)")
        try wall.remove("before")
        try wall.remove("ends")
        try wall.link("orion", to: orion)
        try disk?.fail()
        for _ in 0..<2 {
            try wall.look()
            let failure = failure { () throws(StorageError) in _ = try wall.reconciler.settle() }
            #expect(failure == "cannot bring to the disk \(wall.folder)/a: Input/output error")
            #expect(try wall.favorites == ["2026-09-13: before", "2026-11-20: orion"])
        }
        withExtendedLifetime(disk) {}
        disk = nil
        // It is tried again though nothing tells of it.
        try wall.link("a/clouds", to: "../\(clouds)")
        try wall.settle()
        #expect(try wall.favorites == ["2026-09-13: a/clouds", "2026-11-20: orion"])
    }

    @Test("keeps those in it from being noted, whatever disks they are on")
    func folderAbove() async throws {
        let wall = try await Wall()
        let top = try await CuttableDisk(over: wall.folder)
        for name in ["a", "b"] { try wall.album(name) }
        let inner = (
            try await CuttableDisk(over: "\(wall.folder)/a"), try await CuttableDisk(over: "\(wall.folder)/b")
        )
        for name in ["a", "b"] { try wall.link("\(name)/clouds", to: "../\(clouds)") }
        try top.fail()
        try wall.look()
        #expect(try wall.favorites == [])
        let failure = failure { () throws(StorageError) in _ = try wall.reconciler.settle() }
        #expect(failure == "cannot bring to the disk \(wall.folder): Input/output error")
        // It was tried a second time.
        #expect(try wall.favorites == [])
        withExtendedLifetime((top, inner)) {}
    }
}
