import Apod
import CMicrohttpd
import Glibc
import Synchronization

/// HTTP on one listening socket, through libmicrohttpd: two threads that wait for all connections (epoll).
///
/// A `Request` comes in through an `Exchange`, is checked (`RequestHead`, `Hosts`), and answered with a `Response`, of which
/// `Delivery` says how much is sent.
package final class HTTPServer: Sendable {
    private let daemon: OpaqueHandle
    private let traffic: Traffic
    private let events: EventHub?

    /// libmicrohttpd's handle. Sendable: its functions may be called from any thread.
    private struct OpaqueHandle: @unchecked Sendable { let pointer: OpaquePointer }

    private static let threads = 2
    /// Seconds without a byte in either direction.
    private static let patience = 30
    /// For the head of a request, and for the answer's.
    private static let memory = 16 << 10

    package struct NotStarted: Error {}

    /// Answers requests from now on, of private networks, this machine's own and `others`. It closes the socket.
    /// `events`: what answers send news by.
    package init(
        on socket: Int32, hosts: Hosts, others: [Network] = [], events: EventHub? = nil,
        answer: @escaping @Sendable (Request) -> Response
    ) throws(NotStarted) {
        let traffic = Traffic(hosts: hosts, networks: Network.home + others, answer: answer)
        let completed: MHD_RequestCompletedCallback = { _, _, context, _ in
            guard let context, let exchange = context.pointee else { return }
            Unmanaged<Exchange>.fromOpaque(exchange).release()
            context.pointee = nil
        }
        let changed: MHD_NotifyConnectionCallback = { traffic, connection, _, code in
            Traffic.of(traffic).note(connection, isNew: is_new_connection(code) != 0)
        }
        let me = Unmanaged.passUnretained(traffic).toOpaque()
        var options = [
            MHD_OptionItem(option: .LISTEN_SOCKET, value: Int(socket), ptr_value: nil),
            MHD_OptionItem(option: .THREAD_POOL_SIZE, value: Self.threads, ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_LIMIT, value: Traffic.most, ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_TIMEOUT, value: Self.patience, ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_MEMORY_LIMIT, value: Self.memory, ptr_value: nil),
            MHD_OptionItem(option: .STRICT_FOR_CLIENT, value: 1, ptr_value: nil),
            // Then it may send files with sendfile(2).
            MHD_OptionItem(option: .SIGPIPE_HANDLED_BY_APP, value: 1, ptr_value: nil),
            MHD_OptionItem(
                option: .UNESCAPE_CALLBACK, value: unsafeBitCast(Self.unescape, to: Int.self), ptr_value: nil),
            MHD_OptionItem(
                option: .NOTIFY_COMPLETED, value: unsafeBitCast(completed, to: Int.self), ptr_value: nil),
            MHD_OptionItem(
                option: .NOTIFY_CONNECTION, value: unsafeBitCast(changed, to: Int.self), ptr_value: me),
            MHD_OptionItem(option: .END, value: 0, ptr_value: nil),
        ]
        let flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
        let daemon = start_daemon(
            flags, { traffic, address, _ in Traffic.of(traffic).accepts(address) ? .YES : .NO }, me,
            { traffic, connection, path, method, _, _, count, context in
                guard let connection, let path, let method, let count, let context else { return .NO }
                return Exchange.step(Traffic.of(traffic), connection, String(cString: method), path, count, context)
            }, &options)
        guard let daemon else { throw NotStarted() }
        self.daemon = OpaqueHandle(pointer: daemon)
        self.traffic = traffic
        self.events = events
    }

    deinit {
        events?.close()
        for work in [traffic.slowWork, traffic.changes] { work.wait() }
        MHD_stop_daemon(daemon.pointer)
    }

    /// Paths and queries are decoded by `Request`, which refuses what is wrong.
    private static let unescape:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
        ) -> Int = { _, _, text in text.map { strlen($0) } ?? 0 }

    package var requests: Int { traffic.requests.load(ordering: .relaxed) }
    package var connections: Int { traffic.open.withLock { $0.values.reduce(0, +) } }

    /// Accepts no more connections: they wait in the socket for whoever listens next.
    package func stopAccepting() { MHD_quiesce_daemon(daemon.pointer) }
}

/// What all connections have in common.
final class Traffic: Sendable {
    let hosts: Hosts
    private let networks: [Network]
    let answer: @Sendable (Request) -> Response
    let requests = Atomic(0)
    /// Bytes of answers in memory that are being sent.
    let pending = Atomic(0)
    let slowWork = SlowWork()
    /// What is asked for by POST does not wait behind it.
    let changes = SlowWork()
    /// The number of connections by address.
    let open = Mutex<[[UInt8]: Int]>([:])
    private let hasRefused = Atomic(false)

    static let most = 1100
    /// A proxy on this machine has the connections of all its clients.
    private static let mostOfOne = 100
    static let mostPending = 12 << 20

    init(hosts: Hosts, networks: [Network], answer: @escaping @Sendable (Request) -> Response) {
        (self.hosts, self.networks, self.answer) = (hosts, networks, answer)
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> Traffic {
        Unmanaged<Traffic>.fromOpaque(context!).takeUnretainedValue()
    }

    /// False for one connection too many. It is closed.
    func accepts(_ address: UnsafePointer<sockaddr>?) -> Bool {
        let address = Self.bytes(of: address)
        return Self.isLoopback(address) || open.withLock { $0[address, default: 0] } < Self.mostOfOne
    }

    /// Ends a connection from elsewhere before a byte of it is read.
    private func judge(_ connection: OpaquePointer, from address: [UInt8]) {
        let own = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            count = Int(own_address_bytes(connection, buffer.baseAddress))
        }
        if Network.areNeighbours(address, own) || networks.contains(where: { $0.contains(address) }) { return }
        tellOnce(of: address)
        shutdown(connection_socket(connection), Int32(SHUT_RDWR))
    }

    /// Names the first that is refused, so that the journal does not fill up.
    private func tellOnce(of address: [UInt8]) {
        if hasRefused.exchange(true, ordering: .relaxed) { return }
        let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            buffer[0] = 0
            inet_ntop(address.count == 4 ? AF_INET : AF_INET6, address, buffer.baseAddress, 64)
            return String(cString: buffer.baseAddress!)
        }
        let line = "Refused \(name), which is a public address. To let it in: --allow \(name)\n".bytes
        _ = write(STDERR_FILENO, line, line.count)
    }

    func note(_ connection: OpaquePointer?, isNew: Bool) {
        guard let connection else { return }
        let address = Self.bytes(of: peer_address(connection))
        if isNew { judge(connection, from: address) }
        open.withLock { open in
            let count = open[address, default: 0] + (isNew ? 1 : -1)
            open[address] = count > 0 ? count : nil
        }
    }

    static func bytes(of address: UnsafePointer<sockaddr>?) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            count = Int(address_bytes(address, buffer.baseAddress))
        }
    }

    static func isLoopback(_ address: [UInt8]) -> Bool {
        address.count == 4 ? address[0] == 127 : address == Array(repeating: 0, count: 15) + [1]
    }
}
