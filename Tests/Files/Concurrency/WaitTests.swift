import Files
import Glibc
import Synchronization
import Testing

struct WaitTests {
    /// A clock that shows one time after the other.
    private final class Clock: WallClock {
        let times = Mutex([100, 99, 101])
        var now: Int { times.withLock { $0.isEmpty ? .max : $0.removeFirst() } }
    }

    @Test("A wait for a moment ends when the clock is set back, as whoever waits must decide anew")
    func setBack() async throws {
        let clock = Clock()
        try await clock.wait(until: 101)
        #expect(clock.times.withLock(\.self) == [101])
    }

    @Test("A doorbell that rang before somebody listened is heard")
    func doorbell() async {
        let bell = Doorbell()
        bell.ring()
        let isHeard = await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await bell.rung()) != nil }
            group.addTask { (try? await sleep(for: .seconds(10))) == nil }
            defer { group.cancelAll() }
            return await group.next()
        }
        #expect(isHeard == true)
    }

    /// More of them than files may be open (poll(2), EINVAL).
    @Test("A wait for descriptors that fails tells of none, and pauses, so that a loop does not spin")
    func failing() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var sources = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 1), count: Int(limit.rlim_cur) + 1)
        let start = ContinuousClock.now
        waitUntilReady(&sources)
        #expect(ContinuousClock.now - start >= .milliseconds(100))
        #expect(sources.allSatisfy { $0.revents == 0 })
    }

    @Test("A wait for descriptors ends with its time, or tells what is ready")
    func ready() {
        let event = EventFD()
        var sources = [pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)]
        waitUntilReady(&sources, milliseconds: 0)
        #expect(sources[0].revents == 0)
        event.wake()
        waitUntilReady(&sources)
        #expect(sources[0].revents == Int16(POLLIN))
        event.reset()
        #expect(!event.isWoken)
    }
}
