import CMicrohttpd

/// An answer whose bytes libmicrohttpd asks for while it sends them.
final class ContentReader {
    private let read: (UnsafeMutableRawBufferPointer) -> Int
    private let ended: () -> Void

    /// MHD_CONTENT_READER_END_OF_STREAM
    static let end = -1
    private static let block = 1 << 10

    /// `read` fills the buffer and returns how much came, 0 if the connection was suspended, or `end`. `ended` is called
    /// when the answer is sent, or its client is gone.
    init(_ read: @escaping (UnsafeMutableRawBufferPointer) -> Int, ended: @escaping () -> Void = {}) {
        (self.read, self.ended) = (read, ended)
    }

    var response: OpaquePointer? {
        let context = Unmanaged.passRetained(self).toOpaque()
        return MHD_create_response_from_callback(
            .max, Self.block,
            { context, _, buffer, count in
                guard let context, let buffer else { return ContentReader.end }
                return Unmanaged<ContentReader>.fromOpaque(context).takeUnretainedValue()
                    .read(UnsafeMutableRawBufferPointer(start: buffer, count: count))
            }, context,
            { context in
                guard let context else { return }
                Unmanaged<ContentReader>.fromOpaque(context).takeRetainedValue().ended()
            })
    }
}

/// A long answer that is made while it is sent, so that only a piece of it is in memory.
///
/// Sendable: only the connection that it answers reads it.
package final class Pieces: @unchecked Sendable {
    private let next: () -> [UInt8]?
    private var rest: ArraySlice<UInt8> = []

    /// What is in memory for one of them, at most about.
    static let cost = 1 << 20

    /// `next`: the next piece; nil at the end.
    package init(_ next: @escaping () -> [UInt8]?) { self.next = next }

    /// Fills the buffer and returns how much came; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count {
            if rest.isEmpty {
                guard let piece = next() else { break }
                rest = piece[...]
            }
            let part = rest.prefix(buffer.count - count)
            UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: part)
            count += part.count
            rest = rest.dropFirst(part.count)
        }
        return count
    }
}
