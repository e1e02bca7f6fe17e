import Glibc

/// The sending side of a connection. It fails when the client has gone or the server stops.
struct ResponseSocket {
    let socket: Int32

    /// POLLRDHUP, a macro for GNU sources only (poll(2)).
    private static let clientLeft: Int16 = 0x2000

    enum Failure: Error { case gone }

    func write(_ bytes: UnsafeRawBufferPointer, more: Bool = false) throws {
        // MSG_NOSIGNAL: a client that leaves must not kill the tests with SIGPIPE.
        let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let count = send(socket, start, rest.count, flags)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure.gone }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    func write(_ text: String, more: Bool = false) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0), more: more) }
    }

    /// Waits, for ever without a time; throws as soon as the client leaves or the server stops.
    func wait(_ time: Duration? = nil) throws {
        if time == .zero { return }
        let milliseconds = time.map { Int32(max(1, $0 / .milliseconds(1))) } ?? -1
        var events = pollfd(fd: socket, events: Self.clientLeft, revents: 0)
        var count: Int32 = 0
        repeat { count = poll(&events, 1, milliseconds) } while count < 0 && errno == EINTR
        if count != 0 { throw Failure.gone }
    }

    /// Lets what was written arrive, then ends the connection with RST instead of FIN (socket(7), SO_LINGER).
    func reset() {
        for _ in 0..<500 where pending > 0 { guard (try? wait(.milliseconds(1))) != nil else { break } }
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// Bytes that the client has not yet acknowledged (tcp(7), SIOCOUTQ, a macro that Swift cannot import).
    private var pending: Int32 {
        var count: Int32 = 0
        return ioctl(socket, 0x5411, &count) == 0 ? count : 0
    }
}
