import Glibc

/// Bytes to be served, of any length without holding them all.
package struct Body: Sendable {
    package enum Part: Sendable {
        case bytes([UInt8])
        /// `count` bytes in all: the unit again and again, the last time perhaps cut.
        case repeated([UInt8], count: Int)
        case file(String, count: Int)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .repeated(_, let count), .file(_, let count): count
            }
        }
    }

    package var parts: [Part]

    package init(_ parts: [Part] = []) { self.parts = parts }
    package init(_ bytes: [UInt8]) { parts = [.bytes(bytes)] }
    package init(_ text: String) { parts = [.bytes(Array(text.utf8))] }

    /// The file as long as it is now.
    package init(file path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError("stat \(path)") }
        parts = [.file(path, count: Int(status.st_size))]
    }

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
        case .file(let path, let count):
            try Self.withMapped(path, count: count) { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
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

    private static func withMapped(
        _ path: String, count: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open \(path)") }
        defer { close(descriptor) }
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw SystemError("mmap \(path)")
        }
        defer { munmap(start, count) }
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }
}
