import Apod
import Archive
import Glibc
import TestSupport
import Testing

@Suite("A day's JSON, for anybody who reads in the tree,")
struct DayDocumentTests {
    private let day = november(20)

    @Test("is a file, and nothing else that has its name", arguments: ["fifo", "folder", "../../../aside.json"])
    func kind(kind: String) async throws {
        let shelf = try Shelf()
        try await shelf.add(day, "Orion")
        let path = shelf["2026/11/2026-11-20 Orion.json"]
        #expect(try DayDocument.of(day, root: shelf.root)?.title == "Orion")
        rename(path, shelf.folder.appending("aside.json"))
        put(kind, at: path)
        #expect(try DayDocument.of(day, root: shelf.root) == nil)
    }
}
