/// A server's validators of a file, for asking whether the file is still the same (RFC 9110, 8.8).
package struct Validators: Hashable, Sendable {
    package let etag: String?
    package let modified: String?

    private static let longest = 256

    /// nil without any. A text that is too long, or not printable ASCII, is ignored.
    package init?(etag: String?, modified: String?) {
        self.etag = etag.flatMap(Self.checked)
        self.modified = modified.flatMap(Self.checked)
        if self.etag == nil, self.modified == nil { return nil }
    }

    private static func checked(_ text: String) -> String? {
        let isPlain = (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { 0x20...0x7e ~= $0 }
        return isPlain ? text : nil
    }
}
