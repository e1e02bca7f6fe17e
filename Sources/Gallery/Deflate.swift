internal import CZlib

/// Raw deflate (RFC 1951), in pieces that can be joined.
enum Deflate {
    /// The bytes end on a whole byte (zlib's Z_FULL_FLUSH), without a last block: any number of such pieces, one after
    /// the other, and the two bytes 03 00 are one stream.
    static func piece(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // Only without memory does zlib fail here.
        guard begin_raw_deflate(&stream) == Z_OK else { fatalError("zlib has no memory") }
        defer { deflateEnd(&stream) }
        // The bound is for a stream that ends. A flush adds an empty block.
        let most = Int(deflateBound(&stream, UInt(bytes.count))) + 16
        var bytes = bytes
        return [UInt8](unsafeUninitializedCapacity: most) { output, count in
            bytes.withUnsafeMutableBufferPointer { input in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                deflate(&stream, Z_FULL_FLUSH)
            }
            count = most - Int(stream.avail_out)
        }
    }
}
