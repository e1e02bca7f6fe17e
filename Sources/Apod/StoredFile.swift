/// One file of a day, as it stands in the tree.
package struct StoredFile: Sendable, Equatable {
    package enum Role: Hashable, Sendable {
        case picture, poster, video, page
        /// A further picture of the day, with the number in its name.
        case also(Int)
    }

    package private(set) var role: Role
    package let type: MediaType
    /// The address that the file came from, or that a page opens.
    package private(set) var address: WebAddress
    package let bytes: Int
    package let sha256: Digest
    package let width: Int?
    package let height: Int?
    /// True of a video or a further picture that the record has dropped. It stays beside what the record shows.
    package var isFormer: Bool
    /// The alternative text of a further picture.
    package var alt: String?
    /// True of a further picture that takes the place of the day's picture under the pointer.
    package var isRollover: Bool
    /// True of what another mirror gave, as long as it was not compared with NASA's file.
    package var isOfNeighbour: Bool
    /// The server's validators for the address. Those of the catalog may be newer than the JSON's.
    package var validators: Validators?

    package init(
        role: Role, type: MediaType, address: WebAddress, bytes: Int, sha256: Digest, width: Int? = nil,
        height: Int? = nil, isFormer: Bool = false, alt: String? = nil, isRollover: Bool = false,
        isOfNeighbour: Bool = false, validators: Validators? = nil
    ) {
        self.role = role
        self.type = type
        self.address = address
        self.bytes = bytes
        self.sha256 = sha256
        self.width = width
        self.height = height
        self.isFormer = isFormer
        self.alt = alt
        self.isRollover = isRollover
        self.isOfNeighbour = isOfNeighbour
        self.validators = validators
    }

    package func with(role: Role) -> StoredFile { with(role: role, address: address) }

    /// The same bytes in another role, or under another address.
    package func with(role: Role, address: WebAddress, isFormer: Bool = false) -> StoredFile {
        var file = self
        if address != self.address { file.validators = nil }
        (file.role, file.address, file.isFormer) = (role, address, isFormer)
        return file
    }

    /// The same without validators.
    package var told: StoredFile {
        var file = self
        file.validators = nil
        return file
    }

    /// What follows the day's stem in the file's name: `.jpg` or, of a further picture, ` (2).jpg`.
    package var ending: String { "\(FileName.mark(role.number)).\(type.suffix)" }

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

extension FileName {
    package func with(_ file: StoredFile) -> String { with(ending: file.ending) }
    package func path(_ file: StoredFile) -> String { path(of: with(file)) }
}

extension Collection<StoredFile> {
    /// The video that the record shows, or the page that opens it; else the picture; else a former video.
    package var main: StoredFile? {
        first { ($0.role == .video || $0.role == .page) && !$0.isFormer } ?? first { $0.role == .picture }
            ?? first { $0.role == .video }
    }

    /// The picture to look at without a player: the day's own, else a video's poster.
    package var image: StoredFile? {
        let images = filter(\.isImage)
        return images.first { $0.role == .picture } ?? images.first { $0.role == .poster }
    }

    /// That one, and the further pictures that the record shows.
    package var images: [StoredFile] {
        [image].compactMap(\.self) + filter { $0.isImage && $0.role.isFurther && !$0.isFormer }
    }

    package func image(_ number: Int) -> StoredFile? { images.first { $0.role.number == number } }
}

extension StoredFile.Role {
    package static let further = "also"

    /// The word for it in a day's JSON.
    package var word: String {
        switch self {
        case .picture: "picture"
        case .poster: "poster"
        case .video: "video"
        case .page: "page"
        case .also: Self.further
        }
    }

    /// 1; of a further picture, the number in its name.
    package var number: Int { if case .also(let number) = self { number } else { 1 } }

    package var isFurther: Bool { number > 1 }

    package init?(_ word: String, number: Int) {
        if word == Self.further, FileName.furtherNumbers ~= number {
            self = .also(number)
        } else if number == 1, let role = [Self.picture, .poster, .video, .page].first(where: { $0.word == word }) {
            self = role
        } else {
            return nil
        }
    }
}

/// A server's validators of a file, for asking whether the file is still the same (RFC 9110, 8.8).
package struct Validators: Hashable, Sendable, Codable {
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
