import Concurrency
import Glibc
import Testing

struct WaitTests {
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
