import CZlib
import Files
import HTTP

extension Response {
    /// A file of the folder that is a text and not too large to be compressed at once.
    var isCompressible: Bool {
        guard case .file(_, let bytes) = body else { return false }
        return status == 200 && type.hasPrefix("text/") && bytes <= 4 << 20
    }

    /// The same answer in gzip's form, which has a tag of its own; nil if the file cannot be read.
    var compressed: Response? {
        guard case .file(let file, let count) = body, let bytes = try? file.contents(atMost: count),
            let packed = Gzip.bytes(of: bytes)
        else { return nil }
        var answer = self
        answer.body = .bytes(packed)
        answer.entityTag = entityTag.map { "\($0)-gzip" }
        answer.headers.append(("Content-Encoding", "gzip"))
        return answer
    }
}

extension Request {
    /// RFC 9110, 12.5.3. A weight of 0 means "not this one".
    var takesGzip: Bool {
        headers["accept-encoding"]?.split(separator: ",").contains { coding in
            let parts = coding.split { $0 == ";" || $0 == " " }
            return parts.first == "gzip"
                && !parts.dropFirst().contains { $0.hasPrefix("q=0") && Double($0.dropFirst(2)) == 0 }
        } ?? false
    }
}

enum Gzip {
    /// RFC 1952. nil where zlib has no memory.
    static func bytes(of bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard begin_gzip(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let most = Int(deflateBound(&stream, UInt(bytes.count)))
        var bytes = bytes
        return [UInt8](unsafeUninitializedCapacity: most) { output, count in
            bytes.withUnsafeMutableBufferPointer { input in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(most))
                deflate(&stream, Z_FINISH)
            }
            count = most - Int(stream.avail_out)
        }
    }
}
