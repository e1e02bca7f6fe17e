import Glibc
import Synchronization

/// Keeps descriptors from programs that are started at the same moment.
///
/// accept4(2) and pipe2(2) would do it, but Swift sees only what is not for GNU sources. A connection that a child
/// holds too would never end for its client.
enum Inheritance {
    private static let starting = Mutex(())

    static func withoutStarting<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
        try starting.withLock { _ in try body() }
    }

    static func acceptPrivately(_ listener: Int32) -> Int32 {
        var events = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&events, 1, -1) > 0 else { return -1 }
        return withoutStarting {
            let descriptor = accept(listener, nil, nil)
            if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            return descriptor
        }
    }

    static func privatePipe() throws -> (reading: Int32, writing: Int32) {
        try withoutStarting {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw SystemError("pipe") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }
    }
}
