internal import CMicrohttpd
import Synchronization

/// News for all who listen (Server-Sent Events, WHATWG HTML, 9.2). A stream that does not take what it is sent is ended.
package final class EventHub: Sendable {
    /// A stream's state is changed under the hub's lock alone.
    final class Stream: @unchecked Sendable {
        fileprivate let hub: EventHub
        fileprivate let connection: OpaquePointer
        fileprivate var waiting: [UInt8]
        fileprivate var isSuspended = false
        fileprivate var isEnded = false

        fileprivate init(_ hub: EventHub, _ connection: OpaquePointer, _ first: [UInt8]) {
            (self.hub, self.connection, waiting) = (hub, connection, first)
        }

        /// Fills the buffer; without anything to send, libmicrohttpd leaves the connection alone until it is resumed.
        fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            hub.streams.withLock { _ in
                if waiting.isEmpty {
                    if isEnded { return EventHub.end }
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

    private let streams = Mutex<[ObjectIdentifier: Stream]>([:])
    /// MHD_CONTENT_READER_END_OF_STREAM
    private static let end = -1
    private static let mostWaiting = 16 << 10

    package init() {}

    package var isEmpty: Bool { streams.withLock(\.isEmpty) }

    /// Sends the same to all.
    package func send(_ bytes: [UInt8]) {
        streams.withLock { streams in
            for stream in streams.values {
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
        streams.withLock { streams in
            for stream in streams.values {
                stream.isEnded = true
                stream.resume()
            }
        }
    }

    /// The answer that begins with `first` and goes on with what is sent.
    func response(_ first: [UInt8], to connection: OpaquePointer) -> OpaquePointer? {
        let stream = Stream(self, connection, first)
        streams.withLock { $0[ObjectIdentifier(stream)] = stream }
        let context = Unmanaged.passRetained(stream).toOpaque()
        return MHD_create_response_from_callback(
            .max, 1024,
            { context, _, buffer, count in
                guard let context, let buffer else { return EventHub.end }
                return Unmanaged<Stream>.fromOpaque(context).takeUnretainedValue()
                    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
            }, context,
            { context in
                guard let context else { return }
                let stream = Unmanaged<Stream>.fromOpaque(context).takeRetainedValue()
                stream.hub.streams.withLock { $0[ObjectIdentifier(stream)] = nil }
            })
    }
}
