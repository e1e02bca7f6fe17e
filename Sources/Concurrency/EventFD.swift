internal import CLinux
import Glibc

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
        eventfd_read(descriptor, &count)
    }
}

/// Whether reading from a descriptor returns at once (poll(2)).
package func isReadable(_ descriptor: Int32) -> Bool {
    var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&source, 1, 0) > 0
}
