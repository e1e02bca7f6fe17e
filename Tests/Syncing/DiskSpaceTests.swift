import Apod
import Archive
import Catalog
import Configuration
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite("The last of a disk")
struct DiskSpaceTests {
    @Test("is left alone, and nobody is asked before there is room", .enabled(if: Disk.canBeMade))
    func full() async throws {
        let disk = try Disk("tmpfs", "size=100m")
        let testMirror = try TestMirror(
            Entry.days(3, newest: TestMirror.today, bytes: 2_000), root: disk.path + "/APOD")
        _ = try testMirror.archive()
        try save([UInt8](repeating: 1, count: 103_900_000), to: disk.path + "/others")
        let (events, error) = try await testMirror.attempt()
        guard case .noRoom(let root, let floor) = error else {
            Issue.record("it went on: \(events.words), \(String(describing: error))")
            return
        }
        #expect(root == testMirror.root && floor == 104_857_600 / 100 && error?.isFull == true)
        #expect("\(error!)".contains("of which the mirror keeps 1.0 MB free"))
        #expect(testMirror.nasa.requests.isEmpty)
        let failure = try testMirror.catalog.summary().lastFailure
        #expect(failure?.failure.words.contains("keeps 1.0 MB free") == true)
        unlink(disk.path + "/others")
        try await testMirror.sync()
        try await testMirror.audit()
    }

    @Test("is not begun by a file under way", .enabled(if: Disk.canBeMade))
    func underWay() async throws {
        let disk = try Disk("tmpfs", "size=100m")
        let testMirror = try TestMirror(
            Entry.days(3, newest: TestMirror.today, bytes: 300_000), root: disk.path + "/APOD")
        _ = try testMirror.archive()
        testMirror.nasa.intercept = { [path = disk.path] request in
            // When the records are here, somebody else takes the room.
            if request.path.hasPrefix(FakeNASA.base) {
                try? save([UInt8](repeating: 1, count: 103_700_000), to: path + "/others")
            }
            return nil
        }
        let (_, error) = try await testMirror.attempt()
        #expect(error?.isFull == true, "\(String(describing: error))")
        #expect(testMirror.tree.allSatisfy { !$0.hasSuffix(".jpg") })
    }
}
