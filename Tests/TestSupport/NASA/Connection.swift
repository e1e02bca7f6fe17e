import Glibc
import Synchronization

/// One client's connection, served by one thread, request after request.
final class Connection: Sendable {
    private let socket: Int32
    private let state: ServerState
    private let ended = Atomic(false)
    private static let longestHead = 65_536

    init(_ socket: Int32, on state: ServerState) {
        self.socket = socket
        self.state = state
    }

    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    func run() {
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        var received: [UInt8] = []
        while let request = nextRequest(&received) {
            let response = state.answer(request)
            let goesOn = (try? Reply(response, to: request, on: ResponseSocket(socket: socket)).send()) ?? false
            state.answered()
            guard goesOn else { break }
        }
        state.close(socket)
        ended.store(true, ordering: .releasing)
    }

    /// Nil when the client has gone, the server stops, or what came is no request.
    private func nextRequest(_ received: inout [UInt8]) -> Request? {
        while true {
            if let end = Self.endOfHead(in: received) {
                defer { received.removeSubrange(..<end) }
                return Request(head: received[..<end])
            }
            guard received.count < Self.longestHead, receive(&received) else { return nil }
            // TLS, as where this server is taken for one of HTTPS.
            if received[0] == 22 { return nil }
        }
    }

    private func receive(_ received: inout [UInt8]) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            var count = 0
            repeat { count = recv(socket, buffer.baseAddress, buffer.count, 0) } while count < 0 && errno == EINTR
            guard count > 0 else { return false }
            received.append(contentsOf: buffer[..<count])
            return true
        }
    }

    private static func endOfHead(in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var end = 4
            while end <= bytes.count {
                if bytes[end - 1] == 10, bytes[end - 2] == 13, bytes[end - 3] == 10, bytes[end - 4] == 13 { return end }
                end += 1
            }
            return nil
        }
    }
}
