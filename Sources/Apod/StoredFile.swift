/// One file of a day, as it stands in the tree.
package struct StoredFile: Sendable, Equatable {
    package enum Role: String, Sendable { case picture, poster, video, page }

    package let role: Role
    package let type: MediaType
    /// The address that the file came from, or that a page opens.
    package let address: WebAddress
    package let bytes: Int
    package let sha256: Digest
    package let width: Int?
    package let height: Int?
    /// True of a video that the record has dropped. It stays beside its replacement.
    package var isFormer: Bool
    /// The server's validators for the address. Only the catalog keeps them.
    package var validators: Validators?

    package init(
        role: Role, type: MediaType, address: WebAddress, bytes: Int, sha256: Digest, width: Int? = nil,
        height: Int? = nil, isFormer: Bool = false, validators: Validators? = nil
    ) {
        self.role = role
        self.type = type
        self.address = address
        self.bytes = bytes
        self.sha256 = sha256
        self.width = width
        self.height = height
        self.isFormer = isFormer
        self.validators = validators
    }

    package func with(role: Role) -> StoredFile { with(role: role, address: address) }

    /// The same bytes in another role, or under another address.
    package func with(role: Role, address: WebAddress, isFormer: Bool = false) -> StoredFile {
        StoredFile(
            role: role, type: type, address: address, bytes: bytes, sha256: sha256, width: width, height: height,
            isFormer: isFormer, validators: address == self.address ? validators : nil)
    }

    /// The number of pixels; nil if it is unknown or not believed.
    package var pixels: Int? {
        guard let width, let height else { return nil }
        let (pixels, isTooMany) = width.multipliedReportingOverflow(by: height)
        if isTooMany { return nil }
        // No picture has so many pixels in so few bytes: its header is wrong.
        return pixels / Self.mostPixelsInByte <= bytes ? pixels : nil
    }

    private static let mostPixelsInByte = 4096

    /// True if it has less than half of the other's pixels or, if those are unknown, bytes.
    package func isMuchSmaller(than other: StoredFile) -> Bool {
        if let pixels, let others = other.pixels { return pixels < others / 2 }
        return type.kind != .page && bytes < other.bytes / 2
    }

    package var isImage: Bool { type.kind == .image }
}

extension Collection<StoredFile> {
    /// The video that the record shows, or the page that opens it; else the picture; else a former video.
    package var main: StoredFile? {
        first { ($0.role == .video || $0.role == .page) && !$0.isFormer } ?? first { $0.role == .picture }
            ?? first { $0.role != .poster }
    }

    /// The picture to look at without a player: the day's own, else a video's poster.
    package var image: StoredFile? {
        let images = filter(\.isImage)
        return images.first { $0.role == .picture } ?? images.first { $0.role == .poster }
    }
}

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
