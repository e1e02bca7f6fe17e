import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive

@Suite("A folder of the mirror's own in which things can only be added", .enabled(if: ImmutableFolder.canBeMade))
struct FixedFolderTests {
    @Test(
        "is told, with what lets the mirror go on, and is no month's matter",
        arguments: ["", "/.apod-mirror", "/.apod-mirror/unfinished"])
    func told(place: String) async throws {
        let shelf = try Shelf()
        try await shelf.add(november(1))
        let archive = try shelf.archive()
        var folder: ImmutableFolder? = try ImmutableFolder(shelf.root + place, isForAdding: true)
        let error = await #expect(throws: ArchiveError.self) { try await shelf.add(november(2)) }
        #expect(error?.isGeneral == true && error?.isOfMonth == false)
        #expect(error?.failure.number == Int(EPERM) && error?.failure.path?.hasPrefix(shelf.root) == true)
        let obstacles = try Tree.obstacles(in: archive.tree.root, by: archive.catalog)
        #expect(obstacles.immutable == [place.isEmpty ? "." : String(place.dropFirst())])
        _ = folder.take()
        try await shelf.add(november(2))
        #expect(try await shelf.problems() == [])
        #expect(target(of: shelf["latest"])?.contains("2026-11-02") == true)
        #expect(try Tree.obstacles(in: archive.tree.root, by: archive.catalog).immutable == [])
    }

    @Test("is told before anything is to be put there, and with another that it is in")
    func both() async throws {
        let shelf = try Shelf()
        let archive = try shelf.archive()
        let own = shelf[".apod-mirror"]
        let folders = try [own, "\(own)/unfinished"].map { try ImmutableFolder($0, isForAdding: true) }
        let error = await #expect(throws: ArchiveError.self) {
            try await archive.checkMonth(of: november(2), toChange: false)
        }
        #expect(error?.failure.number == Int(EPERM) && error?.failure.path == "\(own)/unfinished")
        let obstacles = try Tree.obstacles(in: archive.tree.root, by: archive.catalog)
        #expect(obstacles.immutable == [".apod-mirror", ".apod-mirror/unfinished"])
        withExtendedLifetime(folders) {}
    }
}
