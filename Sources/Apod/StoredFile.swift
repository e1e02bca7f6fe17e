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

    package init(
        role: Role, type: MediaType, address: WebAddress, bytes: Int, sha256: Digest, width: Int? = nil,
        height: Int? = nil
    ) {
        self.role = role
        self.type = type
        self.address = address
        self.bytes = bytes
        self.sha256 = sha256
        self.width = width
        self.height = height
    }

    package func with(role: Role) -> StoredFile {
        StoredFile(
            role: role, type: type, address: address, bytes: bytes, sha256: sha256, width: width, height: height)
    }

    /// How many it has, if it is a picture and that is known.
    package var pixels: Int? {
        guard let width, let height, let pixels = Self.pixels(width: width, height: height) else { return nil }
        // What claims more is not believed: no picture has so many in so few bytes.
        return pixels / Self.mostPixelsInByte <= bytes ? pixels : nil
    }

    package static let mostPixelsInByte = 4096

    package static func pixels(width: Int, height: Int) -> Int? {
        let (pixels, isTooMany) = width.multipliedReportingOverflow(by: height)
        return isTooMany ? nil : pixels
    }

    /// Something to look at without a player.
    package var isImage: Bool { type.kind == .image }
}
