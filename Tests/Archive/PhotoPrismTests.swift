import Apod
import Archive
import Glibc
import TestSupport
import Testing

struct PhotoPrismTests {
    private let fixture: ArchiveFixture
    private var path: String { fixture[".ppignore"] }

    init() async throws {
        fixture = try ArchiveFixture()
        try await fixture.add(november(20), "Orion Rising")
        try fixture.archive().tidy()
    }

    /// A line is a comment, or a pattern for names in this folder and below (fnmatch(3)).
    private func isIgnored(_ name: String) throws -> Bool {
        let lines = try fileText(path).split(separator: "\n")
        return lines.contains { !$0.hasPrefix("#") && fnmatch(String($0), name, 0) == 0 }
    }

    @Test(
        "What PhotoPrism is told not to index is what is there twice, and JSON",
        arguments: ["gallery", "favorites", "latest.jpg", "favorites.json", "a.json"])
    func ignored(name: String) throws {
        #expect(try isIgnored(name))
    }

    @Test(
        "What PhotoPrism is told not to index are no pictures and videos",
        arguments: ["2026", "11", "2026-11-20 latest.jpg", "2026-11-20 A.mp4"])
    func indexed(name: String) throws {
        #expect(try !isIgnored(name))
    }

    @Test(
        "What PhotoPrism is told not to index comes back when it was deleted, and is left alone once it is somebody's")
    func ownership() throws {
        let mark = try contents(path)
        unlink(path)
        try fixture.archive().pointLatest()
        #expect(try contents(path) == mark)
        try save("*.gif\n", to: path)
        try fixture.archive().pointLatest()
        #expect(try fileText(path) == "*.gif\n")
    }
}
