package import Apod
import Files

/// A media file's type, size and digest, found without decoding it.
package struct MediaFacts: Sendable {
    package let type: MediaType
    package let bytes: Int
    package let sha256: Digest
    package let width: Int?
    package let height: Int?

    /// Throws if the file is of another kind or is cut off.
    init(of file: File, kind: MediaType.Kind, sha256: Digest) throws(FetchError) {
        let head = try onDisk { try file.bytes(at: 0, count: MediaType.signatureLength) }
        guard let type = MediaType(firstBytes: head), type.kind == kind else {
            throw .wrongType(Self.words(for: head))
        }
        let inspector = try onDisk { try MediaInspector(of: file, type: type) }
        guard inspector.isWhole else { throw .cutShort("the \(type.suffix) has no end") }
        self.type = type
        self.sha256 = sha256
        bytes = inspector.bytes
        width = inspector.width
        height = inspector.height
    }

    /// Plain words for a file of the wrong kind that begins with these bytes.
    static func words(for bytes: [UInt8]) -> String {
        let text = (bytes.drop { $0 <= 0x20 }).text.lowercased()
        if text.hasPrefix("<!doctype") || text.hasPrefix("<html") { return "an HTML page" }
        return MediaType(firstBytes: bytes)?.rawValue ?? "a file of an unknown type"
    }
}
