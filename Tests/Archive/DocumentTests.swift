import Apod
import Archive
import Glibc
import TestSupport
import Testing

struct DocumentTests {
    private let day = november(20)

    @Test(
        "A day's JSON, for anybody who reads in the tree, is a file, and nothing else that has its name",
        arguments: ["fifo", "folder", "../../../aside.json"])
    func kind(kind: String) async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(day, "Orion")
        let path = fixture["2026/11/2026-11-20 Orion.json"]
        #expect(try Document.of(Subject(day), root: fixture.root)?.title == "Orion")
        rename(path, fixture.folder.appending("aside.json"))
        put(kind, at: path)
        #expect(try Document.of(Subject(day), root: fixture.root) == nil)
    }
}
