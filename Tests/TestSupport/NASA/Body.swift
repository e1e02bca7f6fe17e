import Apod

/// Bytes to be served, of any length without holding them all.
package struct Body: Sendable {
    package enum Part: Sendable {
        case bytes([UInt8])
        /// `count` bytes in all: the unit again and again, the last time perhaps cut.
        case repeated([UInt8], count: Int)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .repeated(_, let count): count
            }
        }
    }

    package var parts: [Part]

    package init(_ parts: [Part] = []) { self.parts = parts }
    package init(_ bytes: [UInt8]) { parts = [.bytes(bytes)] }
    package init(_ text: String) { parts = [.bytes(text.bytes)] }

    package var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// All of it at once.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        try? forEachPiece(in: 0..<count) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Hands out the range in pieces as large as they come.
    package func forEachPiece(in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        var start = 0
        for part in parts {
            let wanted = range.clamped(to: start..<start + part.count)
            if !wanted.isEmpty {
                try part.forEachPiece(in: wanted.lowerBound - start..<wanted.upperBound - start, body)
            }
            start += part.count
        }
    }
}

extension Body.Part {
    fileprivate func forEachPiece(in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        switch self {
        case .bytes(let bytes):
            try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
        case .repeated(let unit, _):
            try unit.withUnsafeBytes { unit in try Self.repeated(unit, in: range, body) }
        }
    }

    private static func repeated(
        _ unit: UnsafeRawBufferPointer, in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var position = range.lowerBound
        while position < range.upperBound {
            let from = position % unit.count
            let to = min(unit.count, from + range.upperBound - position)
            try body(UnsafeRawBufferPointer(rebasing: unit[from..<to]))
            position += to - from
        }
    }
}
