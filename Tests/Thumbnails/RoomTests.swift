import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    struct Room {
        /// Room for all copies, but less than is left to others.
        private func fill(_ disk: Disk) throws {
            try disk.fill(with: "full")
            let bytes = try #require(Facts("\(disk.path)/full")).bytes
            truncate("\(disk.path)/full", bytes - 400_000)
        }

        @Test(
            "No thumbnail is made on a disk with little room, and all are when there is room again",
            .disks,
            arguments: [ThumbnailUses.screens, .fileManagers, .all])
        func little(uses: ThumbnailUses) async throws {
            let disk = try Disk("tmpfs", "size=64m")
            let fixture = try ThumbnailsFixture(root: "\(disk.path)/APOD")
            fixture.uses = uses
            let day = try await fixture.put("plain.jpg")[0]
            try fixture.thumbnails().checkRoom()
            try fill(disk)
            #expect(throws: Problem.self) { try fixture.thumbnails().checkRoom() }
            let failures = try await fixture.make().map(\.failure)
            #expect(failures.count == 1 && failures[0]?.contains("no space left") == true, "\(failures)")
            #expect(try await fixture.gallery.isEmpty)
            #expect(!exists(fixture["2026/11/.sh_thumbnails"]))
            #expect(try fixture.mirror.archive().tree.unfinished.names().isEmpty)
            #expect(try fixture.missing == [day])
            unlink("\(disk.path)/full")
            try await fixture.makeAll()
        }
    }
}
