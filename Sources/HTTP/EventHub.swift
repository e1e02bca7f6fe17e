import CMicrohttpd
import Synchronization

/// News for all who listen (Server-Sent Events, WHATWG HTML, 9.2). A stream that does not take what it is sent is ended.
package final class EventHub: Sendable {
    /// A stream's state is changed under the hub's lock alone.
    final class Stream: @unchecked Sendable {
        private let hub: EventHub
        fileprivate let connection: OpaquePointer
        fileprivate var waiting: [UInt8]
        fileprivate var isSuspended = false
        fileprivate var isEnded = false

        fileprivate init(_ hub: EventHub, _ connection: OpaquePointer, _ first: [UInt8]) {
            (self.hub, self.connection, waiting) = (hub, connection, first)
        }

        /// Fills the buffer; without anything to send, libmicrohttpd leaves the connection alone until it is resumed.
        fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            hub.state.withLock { _ in
                if waiting.isEmpty {
                    if isEnded { return ContentReader.end }
                    isSuspended = true
                    MHD_suspend_connection(connection)
                    return 0
                }
                let count = min(buffer.count, waiting.count)
                buffer.copyBytes(from: waiting.prefix(count))
                waiting.removeFirst(count)
                return count
            }
        }

        fileprivate func resume() {
            guard isSuspended else { return }
            isSuspended = false
            MHD_resume_connection(connection)
        }
    }

    private struct State {
        var streams: [ObjectIdentifier: Stream] = [:]
        var isWatched = false
    }

    private let state = Mutex(State())
    private let begin: @Sendable (EventHub, [UInt8]) -> Void
    private static let mostWaiting = 16 << 10

    /// `begin` starts what sends, and is told what its first listener knows.
    package init(_ begin: @escaping @Sendable (EventHub, [UInt8]) -> Void = { _, _ in }) { self.begin = begin }

    /// Whether what sends is to go on: not when the last listener is gone. `begin` is called for the next.
    package func goesOn() -> Bool {
        state.withLock { state in
            state.isWatched = !state.streams.isEmpty
            return state.isWatched
        }
    }

    /// Sends the same to all.
    package func send(_ bytes: [UInt8]) {
        state.withLock { state in
            for stream in state.streams.values {
                if stream.waiting.count + bytes.count > Self.mostWaiting {
                    stream.isEnded = true
                } else {
                    stream.waiting += bytes
                }
                stream.resume()
            }
        }
    }

    /// Ends all streams: libmicrohttpd cannot be stopped while a connection waits.
    func close() {
        state.withLock { state in
            for stream in state.streams.values {
                stream.isEnded = true
                stream.resume()
            }
        }
    }

    /// The answer that begins with `first` and goes on with what is sent.
    func response(_ first: [UInt8], to connection: OpaquePointer) -> OpaquePointer? {
        let stream = Stream(self, connection, first)
        let isFirst = state.withLock { state in
            state.streams[ObjectIdentifier(stream)] = stream
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if isFirst { begin(self, first) }
        return ContentReader(stream.read) { self.state.withLock { $0.streams[ObjectIdentifier(stream)] = nil } }
            .response
    }
}
