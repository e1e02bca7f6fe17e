import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive
@testable import Favorites

@Suite("A copy of a picture that is gone, while somebody else works on its day,")
struct BusyDayTests {
    private func isThere(_ wall: Wall) -> Bool { access("\(wall.root)/\(Wall.orionFile)", F_OK) == 0 }

    @Test("waits, and gives the picture back then")
    func waits() async throws {
        let wall = try await Wall()
        let locks = try wall.shelf.archive().dayLocks
        try await wall.shell("cp \"$ORION\" a.jpg; rm \"$ORION\"")
        #expect(locks.lockIfFree(Wall.orion))
        try wall.lookAndSettle()
        #expect(!isThere(wall))
        locks.unlock(Wall.orion)
        try wall.lookAndSettle()
        #expect(isThere(wall))
    }

    @Test("gives nothing back when the day has another picture by then")
    func corrected() async throws {
        let wall = try await Wall()
        try await wall.shell("cp \"$ORION\" a.jpg")
        let tree = try wall.shelf.archive().tree
        let original = try #require(try wall.catalog.files(ofSize: 1000).first { $0.day == Wall.orion })
        try await wall.shelf.add(Wall.orion, "Orion Rising", bytes: 2000)
        let favorites = try Folder.open(wall.folder)
        let file = try #require(try favorites.file("a.jpg"))
        let restore = RestoreOriginal(tree: tree, original: original, isMove: false) { false }
        #expect(try restore.run(file, try file.facts(), Name("a.jpg")!, in: favorites))
        #expect(Facts("\(wall.root)/\(Wall.orionFile)")?.bytes == 2000)
    }
}
