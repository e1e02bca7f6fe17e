package import Apod
internal import Files

/// What a file is, found out from its bytes; nothing is decoded.
package struct MediaFacts: Sendable {
    package let type: MediaType
    package let bytes: Int
    package let sha256: Digest
    package let width: Int?
    package let height: Int?

    /// Reads the whole file; fails if it is of another kind or has no end.
    init(of file: File, kind: MediaType.Kind) throws(FetchError) {
        let head = try onDisk { () throws(DiskError) in try file.bytes(at: 0, count: MediaType.signatureLength) }
        guard let type = MediaType(firstBytes: head), type.kind == kind else {
            throw .wrongType(Self.words(for: head))
        }
        self.type = type
        (bytes, width, height, sha256) = try onDisk { () throws(DiskError) in
            let layout = try Layout(of: file, type: type)
            return (layout.isWhole ? layout.bytes : -1, layout.width, layout.height, try Digest(of: file))
        }
        if bytes < 0 { throw .cutShort("the \(type.suffix) has no end") }
    }

    /// What a person would call a file that begins so.
    static func words(for bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.drop { $0 <= 0x20 }, as: UTF8.self).lowercased()
        if text.hasPrefix("<!doctype") || text.hasPrefix("<html") { return "an HTML page" }
        return bytes.isEmpty ? "empty" : "a file of an unknown type"
    }
}
