import CLinux
package import Glibc

/// Wakes a thread that waits for its descriptor to be readable (eventfd(2)).
package final class EventFD: Sendable {
    package let descriptor: Int32

    package init() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if descriptor < 0 { endProgram(without: "wake threads", errno) }
    }

    deinit { close(descriptor) }

    package func wake() { eventfd_write(descriptor, 1) }

    package var isWoken: Bool { isReadable(descriptor) }

    package func reset() {
        var count: UInt64 = 0
        if eventfd_read(descriptor, &count) != 0, errno != EAGAIN { pauseAfterFailure() }
    }
}

/// Waits for descriptors (poll(2)), without a limit below 0. Where that fails, none is ready.
package func waitUntilReady(_ sources: inout [pollfd], milliseconds: Int32 = -1) {
    if poll(&sources, nfds_t(sources.count), milliseconds) >= 0 { return }
    if errno != EINTR { pauseAfterFailure() }
    for index in sources.indices { sources[index].revents = 0 }
}

/// Keeps a loop from spinning where a call fails each time.
package func pauseAfterFailure() { usleep(100_000) }

/// Whether reading from a descriptor returns at once (poll(2)).
package func isReadable(_ descriptor: Int32) -> Bool {
    var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&source, 1, 0) > 0
}
