import Glibc
import Synchronization

/// What all threads of one server share.
final class ServerState: Sendable {
    struct Log: Sendable {
        var requests: [Request] = []
        var attempts: [String: Int] = [:]
        var now = 0
        var mostAtOnce = 0

        mutating func forget() { self = Log(now: now, mostAtOnce: now) }
    }

    let log = Awaited(Log())
    private let handler: HTTPServer.Handler
    /// Nil once the server has been stopped.
    private let sockets = Mutex<Set<Int32>?>([])

    init(_ handler: @escaping HTTPServer.Handler) { self.handler = handler }

    func answer(_ request: Request) -> Response {
        let attempt = log.update { log in
            log.attempts[request.target, default: 0] += 1
            log.now += 1
            log.mostAtOnce = max(log.mostAtOnce, log.now)
            var request = request
            request.attempt = log.attempts[request.target]!
            log.requests.append(request)
            return request.attempt
        }
        var request = request
        request.attempt = attempt
        return handler(request)
    }

    func answered() { log.update { $0.now -= 1 } }

    /// False, and the socket is closed, when the server has stopped meanwhile.
    @discardableResult
    func opened(_ socket: Int32) -> Bool {
        let isOpen = sockets.withLock { $0?.insert(socket) != nil }
        if !isOpen { Glibc.close(socket) }
        return isOpen
    }

    /// Under the lock, so that `shutDown` never meets a number that already belongs to another file.
    func close(_ socket: Int32) {
        sockets.withLock { sockets in
            sockets?.remove(socket)
            _ = Glibc.close(socket)
        }
    }

    /// Wakes every thread, whatever it waits for in a socket.
    func shutDown() {
        sockets.withLock { sockets in
            for socket in sockets ?? [] { shutdown(socket, Int32(SHUT_RDWR)) }
            sockets = nil
        }
    }
}
