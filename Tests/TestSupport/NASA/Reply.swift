/// One response on its way to one client.
struct Reply {
    private let response: Response
    private let request: Request
    private let socket: ResponseSocket
    private let range: ByteRange

    init(_ response: Response, to request: Request, on socket: ResponseSocket) {
        self.response = response
        self.request = request
        self.socket = socket
        range = ByteRange(request, for: response)
    }

    /// True when the connection can be used again.
    func send() throws -> Bool {
        if response.hangs { try socket.wait() }
        try socket.wait(response.delay)
        let body = bytes.prefix(limit)
        try socket.write(head, more: !body.isEmpty && hasBody && response.trickle == nil)
        guard hasBody else { return keepsAlive }
        try send(body)
        switch response.ending {
        case .whole: if case .chunked = response.framing { try socket.write("0\r\n\r\n") }
        case .close: return false
        case .stall: try socket.wait()
        case .reset:
            socket.reset()
            return false
        }
        return keepsAlive
    }

    private var hasBody: Bool { request.method != "HEAD" && status != 204 && status != 304 }

    private var status: Int {
        switch range {
        case .whole: response.status
        case .part: 206
        case .unsatisfiable: 416
        }
    }

    private var bytes: Range<Int> {
        switch range {
        case .whole: 0..<response.body.count
        case .part(let range): range
        case .unsatisfiable: 0..<0
        }
    }

    private var limit: Int {
        switch response.ending {
        case .whole: .max
        case .reset(let count), .close(let count), .stall(let count): count
        }
    }

    private var keepsAlive: Bool {
        switch response.framing {
        case .length, .chunked: request.keepsAlive
        case .declaring, .untilClose: false
        }
    }

    private var head: String {
        var lines = ["HTTP/1.1 \(status) Answered"]
        lines += response.headers.map { "\($0.name): \($0.value)" }
        let size = response.body.count
        switch range {
        case .part(let range): lines.append("Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
        case .unsatisfiable: lines.append("Content-Range: bytes */\(size)")
        case .whole: if response.ranges { lines.append("Accept-Ranges: bytes") }
        }
        switch response.framing {
        case .length: lines.append("Content-Length: \(bytes.count)")
        case .declaring(let count): lines.append("Content-Length: \(count)")
        case .chunked: lines.append("Transfer-Encoding: chunked")
        case .untilClose: break
        }
        if !keepsAlive { lines.append("Connection: close") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    private func send(_ range: Range<Int>) throws {
        try response.body.forEachPiece(in: range) { piece in
            guard let interval = response.trickle else { return try frame(piece) }
            for index in piece.indices {
                try frame(UnsafeRawBufferPointer(rebasing: piece[index...index]))
                try socket.wait(interval)
            }
        }
    }

    private func frame(_ bytes: UnsafeRawBufferPointer) throws {
        guard case .chunked = response.framing else { return try socket.write(bytes) }
        try socket.write(String(bytes.count, radix: 16) + "\r\n", more: true)
        try socket.write(bytes, more: true)
        try socket.write("\r\n")
    }
}
