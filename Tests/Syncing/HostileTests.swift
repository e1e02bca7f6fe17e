import Apod
import Archive
import Catalog
import Configuration
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

struct HostileTests {
    private let today = TestMirror.today

    /// Whatever is in the folder around the tree was not put there by a test of this suite.
    private func expectNothingOutside(_ testMirror: TestMirror) {
        #expect(listing(testMirror.folder.path).allSatisfy { $0.hasPrefix("APOD/") })
        #expect(testMirror.tree.allSatisfy { ["2026/", "lates"].contains(String($0.prefix(5))) })
    }

    @Test(
        "A hostile upstream cannot name a file outside the tree, or one that is no good name",
        arguments: [
            "../../../etc/cron.d/x", "..", "", "a\u{0}b", "\u{202e}gpj.exe", "$(reboot)", "a. . .", "\\\\host\\share",
            "e\u{301}\u{301}", String(repeating: "a\u{301}", count: 4000), "<img src=x onerror=alert(1)>",
        ])
    func titles(title: String) async throws {
        let testMirror = try TestMirror([Entry(today, .video, title: title, bytes: 2_000)])
        #expect(try await testMirror.sync()[today] == "mirrored")
        let files = testMirror.files(today)
        #expect(files.count == 3)
        for file in files {
            #expect(file.utf8.count <= 255)
            #expect(!file.unicodeScalars.contains { $0.value < 32 || "<>:\"/\\|?*".unicodeScalars.contains($0) })
            #expect(![" .", ".."].contains { file.contains("\($0)\(file.suffix(3))") || file.contains("\($0)json") })
        }
        expectNothingOutside(testMirror)
        try await testMirror.audit()
        try await testMirror.loseCatalog()
        #expect(try testMirror.catalog.storedDays().map(\.state) == [.mirrored])
        try await testMirror.audit()
    }
}
