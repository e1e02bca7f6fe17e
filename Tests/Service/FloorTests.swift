import Apod
import Archive
import Glibc
import Service
import TestSupport
import Testing

@Suite("The last of a disk")
struct FloorTests {
    @Test("is left alone, and nobody is asked before there is room", .enabled(if: Disk.canBeMade))
    func full() async throws {
        let disk = try Disk("tmpfs", "size=100m")
        let observatory = try Observatory(
            Entry.days(3, newest: Observatory.today, bytes: 2_000), root: disk.path + "/APOD")
        _ = try observatory.archive()
        try save([UInt8](repeating: 1, count: 103_900_000), to: disk.path + "/others")
        let (events, error) = try await observatory.attempt()
        guard case .noRoom(let root, let free, let floor) = error else {
            Issue.record("it went on: \(events.words), \(String(describing: error))")
            return
        }
        #expect(root == observatory.root && free < floor && floor == 104_857_600 / 100 && error?.isFull == true)
        #expect("\(error!)".contains("the last 1.0 MB are left alone; make room"))
        #expect(observatory.nasa.requests.isEmpty)
        #expect(try observatory.archive().catalog.summary().lastFailure?.contains("left alone") == true)
        unlink(disk.path + "/others")
        try await observatory.sync()
        try await observatory.audit()
    }

    @Test("is not begun by a file under way", .enabled(if: Disk.canBeMade))
    func underWay() async throws {
        let disk = try Disk("tmpfs", "size=100m")
        let observatory = try Observatory(
            Entry.days(3, newest: Observatory.today, bytes: 300_000), root: disk.path + "/APOD")
        _ = try observatory.archive()
        observatory.nasa.intercept = { [path = disk.path] request in
            // When the records are here, somebody else takes the room.
            if request.path.hasPrefix(FakeNASA.base) {
                try? save([UInt8](repeating: 1, count: 103_700_000), to: path + "/others")
            }
            return nil
        }
        let (_, error) = try await observatory.attempt()
        #expect(error?.isFull == true, "\(String(describing: error))")
        #expect(observatory.tree.allSatisfy { !$0.hasSuffix(".jpg") })
    }

    @Test("and the rest of it can be full when retention makes room", .enabled(if: Disk.canBeMade))
    func retention() async throws {
        let disk = try Disk("tmpfs", "size=12m")
        let observatory = try Observatory(
            Entry.days(40, newest: Observatory.today, bytes: 100_000), root: disk.path + "/APOD")
        try await observatory.sync()
        try await observatory.close()
        observatory.settings.keep = Span("4d")
        do {
            let session = try Session(observatory.settings, version: "1", environment: [:], time: observatory.clock)
            try disk.fill(with: "others")
            #expect(try await session.retention.apply(atOnce: true).days.count == 35)
        }
        try await unlocked(observatory.root)
        try await observatory.audit()
        #expect(try observatory.archive().catalog.summary().pruned == 35)
    }
}
