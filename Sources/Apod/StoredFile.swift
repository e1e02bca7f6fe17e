/// One file of a day, as it stands in the tree.
package struct StoredFile: Sendable, Equatable {
    package enum Role: String, Sendable { case picture, poster, video, page }

    package let role: Role
    package let type: MediaType
    /// Where it came from; for a page, what it opens.
    package let address: WebAddress
    package let bytes: Int
    package let sha256: Digest
    package let width: Int?
    package let height: Int?
    /// A video that the record does not show any more; it stays beside what came in its place.
    package var isFormer: Bool
    /// As the server gave them for its address. Only the catalog remembers them.
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

    /// The same bytes as what the record shows elsewhere.
    package func with(role: Role, address: WebAddress, isFormer: Bool = false) -> StoredFile {
        StoredFile(
            role: role, type: type, address: address, bytes: bytes, sha256: sha256, width: width, height: height,
            isFormer: isFormer, validators: address == self.address ? validators : nil)
    }

    /// How many it has, if it is a picture and that is known.
    package var pixels: Int? {
        guard let width, let height else { return nil }
        let (pixels, isTooMany) = width.multipliedReportingOverflow(by: height)
        if isTooMany { return nil }
        // What claims more is not believed: no picture has so many in so few bytes.
        return pixels / Self.mostPixelsInByte <= bytes ? pixels : nil
    }

    package static let mostPixelsInByte = 4096

    /// By half of its pixels or, where those are not known of both, of its bytes.
    package func isMuchSmaller(than other: StoredFile) -> Bool {
        if let pixels, let others = other.pixels { return pixels < others / 2 }
        return type.kind != .page && bytes < other.bytes / 2
    }

    /// Something to look at without a player.
    package var isImage: Bool { type.kind == .image }
}

extension Collection<StoredFile> {
    /// The video that the record shows, or the page that opens it; else the picture, which can stand beside both; else a
    /// video that has stayed.
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
