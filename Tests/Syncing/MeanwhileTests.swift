import Apod
import Configuration
import Files
import Glibc
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

struct MeanwhileTests {
    @Test(
        "A link that is dropped while pictures go saves its picture, though nobody watches", arguments: [false, true])
    func link(inNewAlbum: Bool) async throws {
        let testMirror = try await TestMirror.fetched(days: 60)
        testMirror.settings.keep = Span("30d")
        let (first, last) = (ago(59), ago(31))
        let root = testMirror.root
        func path(_ day: Day) throws -> String {
            let name = try #require(testMirror.files(day).first { $0.hasSuffix(".jpg") })
            return "\(root)/\(day.folder)/\(name)"
        }
        let picture = try path(last)
        let album = "\(root)/favorites" + (inNewAlbum ? "/new" : "")
        let mirror = try OpenMirror(testMirror.settings, version: "1", environment: [:], time: testMirror.clock)
        // Pictures go in small portions, and the folder is read before each. The first portion is held up by a lock: it has
        // begun when it holds the lock of its first day.
        let locks = mirror.archive.keyLocks
        #expect(locks.lockIfFree(first.advanced(by: 1)))
        async let linked: Void = blocking {
            let end = ContinuousClock.now + .seconds(60)
            while locks.lockIfFree(first), .now < end {
                locks.unlock(first)
                usleep(1000)
            }
            for folder in ["\(root)/favorites", album] { mkdir(folder, 0o755) }
            symlink(picture, "\(album)/x")
            locks.unlock(first.advanced(by: 1))
        }
        let went = try await mirror.retention.apply(isAsked: true).days.map(\.day)
        await linked
        #expect(went == Array(first..<last) && target(of: "\(album)/x") == picture)
        #expect(Facts(picture) != nil)
    }

    @Test("A deletion that is to stop takes no further picture with it")
    func stopped() async throws {
        let testMirror = try await TestMirror.fetched(days: 60)
        testMirror.settings.keep = Span("30d")
        let mirror = try OpenMirror(testMirror.settings, version: "1", environment: [:], time: testMirror.clock)
        // The second portion is held up by the lock of its second day.
        let locks = mirror.archive.keyLocks
        #expect(locks.lockIfFree(ago(33)))
        let work = Task { try await mirror.retention.apply(isAsked: true).days.map(\.day) }
        await blocking {
            let end = ContinuousClock.now + .seconds(60)
            while locks.lockIfFree(ago(34)), .now < end {
                locks.unlock(ago(34))
                usleep(1000)
            }
        }
        work.cancel()
        #expect(try await work.value == Array(ago(59)...ago(35)))
        locks.unlock(ago(33))
    }
}
