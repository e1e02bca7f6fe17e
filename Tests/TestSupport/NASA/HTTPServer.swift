import Files
import Glibc
import Synchronization

/// A real HTTP/1.1 server on the loopback interface, for GET and HEAD.
///
/// It stops when it is released; a handler must not hold it, and must not block for ever.
package final class HTTPServer: Sendable {
    package typealias Handler = @Sendable (Request) -> Response

    package let port: Int
    private let state: ServerState
    private let thread: Mutex<pthread_t?>

    /// On a port that the kernel chooses, or on one that was in use before, to come back after an outage.
    package init(port: Int = 0, _ handler: @escaping Handler) throws {
        let listener = try Self.listen(on: port)
        let state = ServerState(handler)
        self.port = Self.port(of: listener)
        self.state = state
        state.opened(listener)
        thread = Mutex(startThreadToJoin { Self.accept(listener, on: state) })
    }

    deinit { stop() }

    package var origin: String { "http://127.0.0.1:\(port)" }

    /// Every request so far, in the order of arrival.
    package var requests: [Request] { state.log.value.requests }

    /// How many requests were being answered at the same time, at most.
    package var mostAtOnce: Int { state.log.value.mostAtOnce }

    package func forgetRequests() { state.log.update { $0.forget() } }

    /// The first request that fits, as soon as there is one.
    @discardableResult
    package func request(where fits: @escaping @Sendable (Request) -> Bool) async throws -> Request {
        do {
            return try await state.log.first { $0.requests.contains(where: fits) }.requests.first(where: fits)!
        } catch {
            throw Missed("a request", instead: requests.map(\.target))
        }
    }

    /// Ends every connection and every thread of this server.
    package func stop() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        state.shutDown()
        pthread_join(thread, nil)
    }

    private static func accept(_ listener: Int32, on state: ServerState) {
        var running: [(thread: pthread_t, connection: Connection)] = []
        while true {
            let descriptor = Inheritance.acceptPrivately(listener)
            if descriptor < 0, [EINTR, EAGAIN, ECONNABORTED].contains(errno) { continue }
            guard descriptor >= 0, state.opened(descriptor) else { break }
            let connection = Connection(descriptor, on: state)
            let living = running.partition { $0.connection.hasEnded }
            for ended in running[living...] { pthread_join(ended.thread, nil) }
            running.removeSubrange(living...)
            running.append((startThreadToJoin { connection.run() }, connection))
        }
        for each in running { pthread_join(each.thread, nil) }
        state.close(listener)
    }

    /// On loopback.
    package static func listen(on port: Int = 0) throws -> Int32 {
        let descriptor = try bound(to: port)
        guard Glibc.listen(descriptor, 1024) == 0 else {
            close(descriptor)
            throw SystemError("listen on port \(port)")
        }
        return descriptor
    }

    /// A port at which nobody listens yet.
    package static func bound(to port: Int = 0) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        guard withSocketAddress(&address, { bind(descriptor, $0, $1) }) == 0 else {
            let error = SystemError("bind port \(port)")
            close(descriptor)
            throw error
        }
        return descriptor
    }

    package static func port(of listener: Int32) -> Int {
        var address = sockaddr_in()
        _ = withSocketAddress(&address) { pointer, size in
            var size = size
            return getsockname(listener, UnsafeMutablePointer(mutating: pointer), &size)
        }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    private static func withSocketAddress(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
