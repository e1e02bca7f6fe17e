import Apod
import Archive
import Catalog
import Configuration
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

struct DiskSpaceTests {
    @Test(
        "The last of a disk is left alone, and nobody is asked before there is room",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func full() async throws {
        let disk = try Disk("tmpfs", "size=100m")
        let testMirror = try TestMirror(
            Entry.days(3, newest: TestMirror.today, bytes: 2_000), root: disk.path + "/APOD")
        _ = try testMirror.archive()
        try save([UInt8](repeating: 1, count: 103_900_000), to: disk.path + "/others")
        let (events, error) = try await testMirror.attempt()
        #expect(error == Problem(.full, path: testMirror.root, number: 104_857_600 / 100), "\(events.words)")
        #expect("\(error!)".contains("of which the mirror keeps 1.0 MB free"))
        #expect(testMirror.nasa.requests.isEmpty)
        let failure = try testMirror.catalog.summary().lastFailure
        #expect(failure?.failure.words.contains("keeps 1.0 MB free") == true)
        unlink(disk.path + "/others")
        try await testMirror.sync()
        try await testMirror.audit()
    }
}
