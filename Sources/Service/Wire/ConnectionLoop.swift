import Apod
import Files
import Glibc
import Synchronization

/// The thread that accepts connections, reads requests and writes answers. It sleeps in poll(2).
final class ConnectionLoop: Sendable {
    /// Receives a request, on the loop's thread: it must not take long.
    typealias Hearing = @Sendable (ConnectionLoop, _ id: Int, _ user: UInt32, _ request: ServiceRequest) -> Void

    /// nil after `close`.
    private let connections: Mutex<Connections?>
    private let isStarted = Atomic(false)
    private let wakeUp = EventFD()
    private let pings = PingQueue()
    private let hear: Hearing

    init(timeout: Duration = .seconds(5), hear: @escaping Hearing) {
        connections = Mutex(Connections(timeout: timeout))
        self.hear = hear
    }

    /// Accepts connections at this socket; nil: at none. Open connections stay.
    func open(_ listener: LocalSocket?) {
        connections.withLock { $0?.listener = listener }
        if !isStarted.exchange(true, ordering: .relaxed) { startThread { [self] in run() } }
        wakeUp.wake()
    }

    /// Closes all connections, and ends the thread.
    func close() {
        let open = connections.withLock { connections in
            defer { connections = nil }
            let open = connections.map { Array($0.open.values) } ?? []
            for connection in open { connection.hangUp() }
            return open.compactMap(\.onHangUp)
        }
        wakeUp.wake()
        for hangUp in open { hangUp() }
    }

    /// Returns when the thread has answered, or at once if there is none.
    func answer() async {
        if isStarted.load(ordering: .relaxed) { await pings.ping(by: wakeUp) }
    }

    private func run() {
        defer { pings.end() }
        while let (listener, ids, open, timeout) = connections.withLock({ $0?.sources() }) {
            var sources = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0), listener] + open
            waitUntilReady(&sources, milliseconds: timeout)
            wakeUp.reset()
            pings.answer()
            let due = connections.withLock { $0?.handle(listener: sources[1], ids, sources.dropFirst(2)) ?? [] }
            for due in due {
                switch due {
                case .hear(let id, let user, let request): hear(self, id, user, request)
                case .hungUp(let hangUp): hangUp()
                }
            }
        }
    }

    func say(_ line: [UInt8], to id: Int) { change(id) { $0.say(line) } }

    /// Closes the connection once everything said has been sent.
    func leave(_ id: Int) {
        change(id) { connection in
            connection.leave()
            return true
        }
    }

    func isThere(_ id: Int) -> Bool { connections.withLock { $0?.open[id] != nil } }

    /// Whether the connection is open and everything said has been sent.
    func isListening(_ id: Int) -> Bool { connections.withLock { $0?.open[id]?.isListening ?? false } }

    /// Sets what is called when the connection breaks; calls it at once if the connection is gone already.
    func onHangUp(of id: Int, _ action: @escaping @Sendable () -> Void) {
        let isThere = connections.withLock { connections in
            connections?.open[id]?.onHangUp = action
            return connections?.open[id] != nil
        }
        if !isThere { action() }
    }

    /// Changes a connection in place. It is dropped if `change` returns false.
    private func change(_ id: Int, _ change: (inout Connection) -> Bool) {
        let (hangUp, needsThread) = connections.withLock { connections -> ((@Sendable () -> Void)?, Bool) in
            guard connections?.open[id] != nil else { return (nil, false) }
            // Not in a copy: its unsent bytes would be copied, too.
            let stays = change(&connections!.open[id]!)
            let connection = connections!.open[id]!
            if stays, !connection.isFinished { return (nil, !connection.isListening) }
            connections?.open[id] = nil
            connection.hangUp()
            return (stays ? nil : connection.onHangUp, true)
        }
        if needsThread { wakeUp.wake() }
        hangUp?()
    }
}
