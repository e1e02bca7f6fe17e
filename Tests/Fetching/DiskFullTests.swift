internal import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Fetching

/// On a disk of 2 MB that only root can mount.
@Suite(.enabled(if: geteuid() == 0, "needs root"))
struct DiskFullTests {
    private func withSmallDisk(of size: String = "2m", _ work: (TemporaryFolder) async throws -> Void) async throws {
        let home = try TemporaryFolder()
        let isMounted = mount("tmpfs", home.path, "tmpfs", 0, "size=\(size)") == 0
        guard isMounted else { throw SystemError("mount \(home.path)") }
        // Detached: folders in it may still be open.
        defer { umount2(home.path, Int32(MNT_DETACH)) }
        try await work(home)
    }

    @Test(
        "A full disk is told as such, only what is unfinished is lost, and there is room for less",
        arguments: [0, 1, 2])
    func full(index: Int) async throws {
        let (picture, small) = (Pictures.jpeg(bytes: 5_000_000), Pictures.jpeg(bytes: 1_500_000))
        let server = try HTTPServer {
            .jpeg($0.path == "/" ? picture : small, tag: "a", framing: framings[index])
        }
        try await withSmallDisk { home in
            let fixture = try FetchFixture(server, in: home)
            try fixture.folder.makeFile("good").append([1, 2, 3])
            let reason = await fixture.failure()
            guard case .disk(let failure) = reason else { return #expect(reason == nil) }
            #expect(failure.isFull)
            #expect(reason?.isPermanent == true && reason?.isAbsence == false)
            #expect("\(reason!)".hasSuffix("no space left on this disk"))
            #expect(server.requests.count == 1)
            // With an announced length nothing had to come before it was known.
            #expect((fixture.fetcher.received == 0) == (index == 0))
            #expect(try fixture.names == ["good"])
            #expect(try fixture.folder.file("good")?.contents(atMost: 3) == [1, 2, 3])
            #expect(try await fixture.file("/small").contents() == small.bytes)
        }
    }

    @Test("A full disk keeps some room for what is to be written about a file", arguments: [100_000, 400_000])
    func reserve(left: Int) async throws {
        try await withSmallDisk { home in
            let space = try Folder.open(home.path).space()
            let picture = Pictures.jpeg(bytes: space.free - left)
            let server = try HTTPServer { _ in .jpeg(picture, tag: "a") }
            let fixture = try FetchFixture(server, in: home)
            let reason = await fixture.failure()
            if left > 256 << 10 { return #expect(reason == nil) }
            guard case .disk(let failure) = reason else { return #expect(reason != nil) }
            #expect(failure.isFull && fixture.fetcher.received == 0)
        }
    }

    @Test("A full disk leaves a hundredth to others")
    func floor() async throws {
        try await withSmallDisk(of: "40m") { home in
            let bytes = try Folder.open(home.path).space().free - 300_000
            let server = try HTTPServer { _ in .jpeg(Pictures.jpeg(bytes: bytes), tag: "a") }
            let fixture = try FetchFixture(server, in: home)
            #expect(await fixture.failure() == .noRoom(bytes: bytes))
            #expect(fixture.fetcher.received == 0)
        }
    }

    @Test("A full disk in the middle of the rest of a file is told too")
    func whileResuming() async throws {
        let picture = Pictures.jpeg(bytes: 1_800_000)
        let server = try HTTPServer {
            .jpeg(picture, tag: "a", ending: $0.attempt == 1 ? .close(after: 1_200_000) : .whole)
        }
        try await withSmallDisk { home in
            let fixture = try FetchFixture(server, in: home) { $0.attempts = 1 }
            #expect(await fixture.failure()?.isConnection == true)
            try fixture.folder.makeFile("other").append([UInt8](repeating: 1, count: 600_000))
            guard case .disk(let failure) = await reason({ try await fixture.file() }) else {
                Issue.record("the disk was not full")
                return
            }
            #expect(failure.isFull)
            #expect(server.requests.last?.headers["range"] == "bytes=1200000-")
        }
    }
}
