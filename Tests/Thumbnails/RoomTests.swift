import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    @Suite("A disk with little room") struct Room {
        /// Room for all copies, but less than is left to others.
        private func fill(_ disk: Disk) throws {
            try disk.fill(with: "full")
            let bytes = try #require(Facts("\(disk.path)/full")).bytes
            truncate("\(disk.path)/full", bytes - 400_000)
        }

        @Test(
            "is left to others: nothing is made on it, and all is when there is room again",
            .enabled(if: Disk.canBeMade), arguments: [ThumbnailUses.screens, .fileManagers, .all])
        func little(uses: ThumbnailUses) async throws {
            let disk = try Disk("tmpfs", "size=64m")
            let bench = try Bench(root: "\(disk.path)/APOD")
            bench.uses = uses
            let day = try await bench.put("plain.jpg")[0]
            try bench.thumbnails().checkRoom()
            try fill(disk)
            #expect(throws: StorageError.self) { try bench.thumbnails().checkRoom() }
            let failures = try await bench.make().map(\.failure)
            #expect(failures.count == 1 && failures[0]?.contains("no space left") == true, "\(failures)")
            #expect(try await bench.gallery.isEmpty)
            #expect(!exists(bench["2026/11/.sh_thumbnails"]))
            #expect(try bench.shelf.archive().tree.unfinished.names().isEmpty)
            #expect(try bench.missing == [day])
            unlink("\(disk.path)/full")
            try await bench.makeAll()
        }

    }
}
