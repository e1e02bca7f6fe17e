import Apod
import Files
import Glibc

/// The open connections, and the socket that accepts them.
struct Connections {
    /// A call that the loop makes after it has released its lock.
    enum Due {
        case hear(Int, user: UInt32, ServiceRequest)
        case hungUp(@Sendable () -> Void)
    }

    /// Then a client that comes takes the place of the one that has taken longest to ask; where all have asked, it waits in
    /// the backlog of listen(2).
    static let most = 64
    /// The pause after accept(2) has failed, as without a free descriptor.
    private static let acceptPause = Duration.seconds(1)

    var listener: LocalSocket?
    var open: [Int: Connection] = [:]
    private var nextID = 0
    private var pausedUntil: ContinuousClock.Instant?
    private let timeout: Duration

    /// `timeout`: how long a client may take to send its request.
    init(timeout: Duration) { self.timeout = timeout }

    private var hasRoom: Bool { open.count < Self.most || slowest != nil }

    /// The client that has taken longest to ask.
    private var slowest: Int? { open.filter(\.value.isAsking).keys.min() }

    /// What to poll, and how long: the listening socket, and the connections with these ids.
    func sources() -> (listener: pollfd, ids: [Int], open: [pollfd], timeout: Int32) {
        let isReady = hasRoom && pausedUntil == nil
        // poll(2) passes over negative descriptors.
        let descriptor = isReady ? listener?.descriptor ?? -1 : -1
        return (
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), Array(open.keys),
            open.values.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }, pollTimeout
        )
    }

    /// Milliseconds until the next deadline; -1 without one (poll(2)).
    private var pollTimeout: Int32 {
        let deadlines = open.values.compactMap(\.deadline) + [pausedUntil].compactMap(\.self)
        return deadlines.min().map { Int32(clamping: Int64(max(0, ($0 - .now) / .milliseconds(1)) + 1)) } ?? -1
    }

    mutating func handle(listener: pollfd, _ ids: [Int], _ events: some Sequence<pollfd>) -> [Due] {
        if let end = pausedUntil, end <= .now { pausedUntil = nil }
        let now = ContinuousClock.now
        // Those that have asked are heard before one of them could make room.
        defer { if listener.revents != 0 { admit() } }
        return zip(ids, events).compactMap { id, source in
            guard var connection = open[id] else { return nil }
            let (stays, due) = serve(&connection, id, source.revents, now)
            open[id] = stays ? connection : nil
            return due ?? (stays ? nil : connection.onHangUp.map(Due.hungUp))
        }
    }

    /// Returns whether the connection stays, and what the loop has to do.
    private func serve(
        _ connection: inout Connection, _ id: Int, _ events: Int16, _ now: ContinuousClock.Instant
    ) -> (stays: Bool, Due?) {
        var due: Due?
        if events & Int16(POLLIN) != 0 {
            switch connection.hear() {
            case .nothing: break
            case .request(let bytes): due = .hear(id, user: connection.user, bytes)
            case .gone: return (false, nil)
            }
        }
        if events & Int16(POLLOUT) != 0, !connection.speak() { return (false, nil) }
        if events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { return (false, nil) }
        if let deadline = connection.deadline, deadline <= now { return (false, nil) }
        return (!connection.isFinished, due)
    }

    private mutating func admit() {
        // Bounded: a flood of new connections must not hold up the open ones.
        for _ in 0..<Self.most where hasRoom {
            do {
                guard let socket = try listener?.accept() else { return }
                if open.count >= Self.most, let slowest { open[slowest] = nil }
                open[nextID] = Connection(socket, timeout: timeout)
                nextID += 1
            } catch {
                pausedUntil = .now + Self.acceptPause
                return
            }
        }
    }
}
