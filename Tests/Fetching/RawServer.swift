import Concurrency
import Glibc
import Synchronization
import TestSupport

/// Says what no decent server says: to everybody the start, then more as long as there is more and somebody listens.
final class RawServer: Sendable {
    let port: Int
    private let listener: Int32
    private let count = Atomic(0)

    var origin: String { "http://127.0.0.1:\(port)" }
    var sent: Int { count.load(ordering: .relaxed) }

    init(_ more: @escaping @Sendable () -> String?, start: @escaping @Sendable () -> String) throws {
        let listener = try HTTPServer.listen()
        self.listener = listener
        port = HTTPServer.port(of: listener)
        startThread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                var request = [UInt8](repeating: 0, count: 65_536)
                _ = recv(connection, &request, request.count, 0)
                var text = Optional(start())
                while let bytes = text.map({ Array($0.utf8) }) {
                    guard send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
                        break
                    }
                    self?.count.add(bytes.count, ordering: .relaxed)
                    text = more()
                }
                close(connection)
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }
}
