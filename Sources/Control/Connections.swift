internal import Apod
internal import Files
internal import Glibc

/// All who are connected to the service, and the socket through which they come.
struct Connections {
    /// What is to be done outside of here.
    enum Due {
        case hear(Int, [UInt8])
        case hungUp(@Sendable () -> Void)
    }

    /// More wait where the kernel lets them wait.
    static let most = 64
    /// Where there is no descriptor left, there may be one soon.
    private static let acceptPause = Duration.seconds(1)

    var listener: LocalSocket?
    var open: [Int: Connection] = [:]
    private var nextID = 0
    private var pausedUntil: ContinuousClock.Instant?
    private let timeout: Duration

    /// `timeout`: how long a connection may take to say what it wants.
    init(timeout: Duration) { self.timeout = timeout }

    /// What to wait for: at the socket that listens, and from those of these numbers.
    func sources() -> (listener: pollfd, ids: [Int], open: [pollfd]) {
        let isReady = open.count < Self.most && pausedUntil == nil
        // poll(2) passes over negative descriptors.
        let descriptor = isReady ? listener?.descriptor ?? -1 : -1
        return (
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), Array(open.keys),
            open.values.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        )
    }

    /// In milliseconds, until something is to be done though nothing happens; -1: for ever.
    var pollTimeout: Int32 {
        let deadlines = open.values.compactMap(\.deadline) + [pausedUntil].compactMap(\.self)
        return deadlines.min().map { Int32(clamping: Int64(max(0, ($0 - .now) / .milliseconds(1)) + 1)) } ?? -1
    }

    mutating func handle(listener: pollfd, _ ids: [Int], _ events: some Sequence<pollfd>) -> [Due] {
        if let end = pausedUntil, end <= .now { pausedUntil = nil }
        if listener.revents != 0 { admit() }
        let now = ContinuousClock.now
        return zip(ids, events).compactMap { id, source in
            guard var connection = open[id] else { return nil }
            let (stays, due) = serve(&connection, id, source.revents, now)
            open[id] = stays ? connection : nil
            return due ?? (stays ? nil : connection.onHangUp.map(Due.hungUp))
        }
    }

    /// Returns whether the connection stays, and what is to be done for it.
    private func serve(
        _ connection: inout Connection, _ id: Int, _ events: Int16, _ now: ContinuousClock.Instant
    ) -> (stays: Bool, Due?) {
        var due: Due?
        if events & Int16(POLLIN) != 0 {
            switch connection.hear() {
            case .nothing: break
            case .request(let bytes): due = .hear(id, bytes)
            case .nonsense: dismiss(&connection, "that is longer than any request")
            case .gone: return (false, nil)
            }
        }
        if events & Int16(POLLOUT) != 0, !connection.speak() { return (false, nil) }
        if events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { return (false, nil) }
        if let deadline = connection.deadline, deadline <= now {
            if !connection.isListening { return (false, nil) }
            dismiss(&connection, "nothing was asked for")
        }
        return (!connection.isFinished, due)
    }

    private func dismiss(_ connection: inout Connection, _ why: String) {
        _ = connection.say(ControlAnswer.end(Failure(.other, why)).line)
        connection.leave()
    }

    private mutating func admit() {
        // However fast somebody connects, those who are connected are served in between.
        for _ in 0..<Self.most where open.count < Self.most {
            do throws(StorageError) {
                guard let socket = try listener?.accept() else { return }
                open[nextID] = Connection(socket, timeout: timeout)
                nextID += 1
            } catch {
                pausedUntil = .now + Self.acceptPause
                return
            }
        }
    }
}
