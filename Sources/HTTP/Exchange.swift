import CMicrohttpd
import Files
import Glibc
import Synchronization

/// One request and its answer. libmicrohttpd calls `step` when the head is there, for each piece of a body, and when
/// an answer is due; it keeps the exchange in between.
final class Exchange {
    private var request: Result<Request, Request.Refusal>
    /// Bytes of the body that have come. Nothing here asks for its content.
    private var received = 0
    /// The answer for which the connection waits.
    private let made = Mutex<Response?>(nil)
    /// Bytes of the answer that count as pending until it is sent.
    private var pending = 0
    private let traffic: Traffic

    private static let longestBody = 64 << 10

    private init(_ traffic: Traffic, _ request: Result<Request, Request.Refusal>) {
        (self.traffic, self.request) = (traffic, request)
    }

    deinit { traffic.pending.subtract(pending, ordering: .relaxed) }

    static func step(
        _ traffic: Traffic, _ connection: OpaquePointer, _ method: String, _ path: UnsafePointer<CChar>,
        _ count: UnsafeMutablePointer<Int>, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> MHD_Result {
        guard let known = context.pointee else {
            let head = RequestHead(connection)
            let exchange = Exchange(traffic, parse(traffic, connection, method, path, head))
            context.pointee = Unmanaged.passRetained(exchange).toOpaque()
            return exchange.refuses(head) ? exchange.send(to: connection, closing: true) : .YES
        }
        let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
        guard count.pointee > 0 else { return exchange.send(to: connection, closing: false) }
        exchange.received += count.pointee
        count.pointee = 0
        // A body whose length was not told is cut off.
        return exchange.received <= longestBody ? .YES : .NO
    }

    private static func parse(
        _ traffic: Traffic, _ connection: OpaquePointer, _ method: String, _ path: UnsafePointer<CChar>,
        _ head: RequestHead
    ) -> Result<Request, Request.Refusal> {
        traffic.requests.add(1, ordering: .relaxed)
        if head.isAmbiguous { return .failure(.init(status: 400, words: "The request is ambiguous.")) }
        return Result { () throws(Request.Refusal) in
            try Request(
                method, String(cString: path), query: RequestHead.query(connection), headers: head.headers,
                origin: head.origin(traffic.hosts) { Traffic.isLoopback(Traffic.bytes(of: peer_address(connection))) })
        }
    }

    /// Whether the request is refused before its body comes. The connection ends then: what would come next could be
    /// taken for another request.
    private func refuses(_ head: RequestHead) -> Bool {
        if let length = head.headers["content-length"], (Int(length) ?? .max) > Self.longestBody {
            request = .failure(.init(status: 413, words: "The request is too large."))
        }
        if case .failure = request { return true }
        return false
    }

    private func send(to connection: OpaquePointer, closing: Bool) -> MHD_Result {
        let (response, delivery) = answer
        if case .later(let make) = response.body, delivery != .unchanged { return wait(for: make, connection) }
        let cost =
            switch response.body {
            case .bytes(let bytes): bytes.count
            case .pieces: Pieces.cost
            case .file, .events, .later: 0
            }
        if cost > 0 {
            pending = cost
            if traffic.pending.add(pending, ordering: .relaxed).newValue > Traffic.mostPending {
                return queue(.busy, .whole, connection, closing: true)
            }
        }
        return queue(response, delivery, connection, closing: closing)
    }

    /// libmicrohttpd calls `step` again when the answer is there.
    private func wait(for make: @escaping @Sendable () -> Response, _ connection: OpaquePointer) -> MHD_Result {
        let waiting = Waiting(exchange: self, connection: connection)
        // Before it is resumed by the thread that begins now.
        MHD_suspend_connection(connection)
        let isBegun = work.begin {
            let response = make()
            waiting.exchange.made.withLock { $0 = response }
            MHD_resume_connection(waiting.connection)
        }
        if !isBegun {
            made.withLock { $0 = .busy }
            MHD_resume_connection(connection)
        }
        return .YES
    }

    private var work: SlowWork {
        (try? request.get().method) == .post ? traffic.changes : traffic.slowWork
    }

    /// Sendable: while its connection is suspended, nobody else uses the exchange.
    private struct Waiting: @unchecked Sendable {
        let exchange: Exchange
        let connection: OpaquePointer
    }

    private var answer: (Response, Delivery) {
        switch request {
        case .failure(let refusal): return (.refusal(refusal.status, refusal.words), .whole)
        case .success(let request):
            let response = made.withLock(\.self) ?? traffic.answer(request)
            return (response, Delivery(of: response, to: request))
        }
    }

    private func queue(
        _ response: Response, _ delivery: Delivery, _ connection: OpaquePointer, closing: Bool
    ) -> MHD_Result {
        let kept = delivery == .whole && !closing ? response.kept : nil
        // Others may let go of it meanwhile.
        defer { withExtendedLifetime(kept) {} }
        if let known = kept?.pointer { return MHD_queue_response(connection, UInt32(response.status), known) }
        guard let message = response.message(delivery, to: connection) else { return .NO }
        defer { if kept?.take(message.pointer) != true { MHD_destroy_response(message.pointer) } }
        for (name, value) in response.fields(delivery) + (closing ? [("Connection", "close")] : []) {
            MHD_add_response_header(message.pointer, name, value)
        }
        return MHD_queue_response(connection, UInt32(message.status), message.pointer)
    }
}

/// What libmicrohttpd sends of an answer, head and body, for the next who is sent the whole. Sendable: libmicrohttpd counts
/// who has it, and any thread may send it (MHD_queue_response).
package final class KeptMessage: @unchecked Sendable {
    private let known = Atomic<OpaquePointer?>(nil)

    package init() {}

    deinit { pointer.map(MHD_destroy_response) }

    fileprivate var pointer: OpaquePointer? { known.load(ordering: .acquiring) }

    /// False where there is one.
    fileprivate func take(_ message: OpaquePointer) -> Bool {
        known.compareExchange(expected: nil, desired: message, ordering: .acquiringAndReleasing).exchanged
    }
}

extension Response {
    fileprivate static let busy = refusal(503, "Too many answers are under way.", [("Retry-After", "5")])

    fileprivate func message(
        _ delivery: Delivery, to connection: OpaquePointer
    ) -> (status: Int, pointer: OpaquePointer)? {
        let (status, range): (Int, Range<Int>) =
            switch delivery {
            case .whole: (self.status, 0..<(count ?? 0))
            case .part(let range): (206, range)
            case .unchanged: (304, 0..<0)
            case .notSatisfiable: (416, 0..<0)
            }
        let pointer: OpaquePointer?
        switch body {
        case .file(let file, _) where !range.isEmpty:
            // libmicrohttpd closes it.
            let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { return nil }
            pointer = MHD_create_response_from_fd_at_offset64(
                UInt64(range.count), descriptor, UInt64(range.lowerBound))
            if pointer == nil { close(descriptor) }
        case .file: pointer = response_with_copy(0, nil)
        case .later: pointer = response_with_copy(0, nil)
        case .events(let hub, let first): pointer = hub.response(first, to: connection)
        case .pieces(let pieces):
            pointer =
                ContentReader { buffer in
                    let count = pieces.read(into: buffer)
                    return count > 0 ? count : ContentReader.end
                }.response
        case .bytes(let bytes):
            pointer = bytes.withUnsafeBytes { bytes in
                response_with_copy(range.count, bytes.baseAddress.map { $0 + range.lowerBound })
            }
        }
        return pointer.map { (status, $0) }
    }

    fileprivate func fields(_ delivery: Delivery) -> Pairs {
        var fields =
            headers + [
                ("Cache-Control", caching.rawValue), ("X-Content-Type-Options", "nosniff"),
                ("Access-Control-Allow-Origin", "*"),
            ]
        if let entityTag { fields.append(("ETag", "\"\(entityTag)\"")) }
        if let modified { fields.append(("Last-Modified", HTTPDate.text(modified))) }
        switch delivery {
        case .whole: if status == 200, count != nil { fields.append(("Accept-Ranges", "bytes")) }
        case .part(let range):
            fields.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count ?? 0)"))
        case .notSatisfiable: fields.append(("Content-Range", "bytes */\(count ?? 0)"))
        case .unchanged: return fields
        }
        return fields + [("Content-Type", type)]
    }
}
