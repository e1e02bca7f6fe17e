package import Apod
import Files

/// What is known of a key, a day or an item of another list: its row in the catalog, with its files.
package struct Item: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable, Codable {
        case mirrored
        /// A worse copy is there than the upstream should have.
        case downgraded
        /// Its text is there; the upstream has no picture for it.
        case placeholder
        /// Its text is there; its files were deleted.
        case pruned
        /// The upstream has no such day.
        case absent
        case failed
    }

    package let key: Key
    /// nil: it was not asked for.
    package var state: State?
    /// The moment until which it is put off; seconds since 1970.
    package var retryAfter: Int?
    package var attempts: Int
    /// Why it failed.
    package var failure: Problem?
    /// How its list has it; nil of a day.
    package var entry: ItemEntry?
    /// As it stands in the tree; nil while nothing of it is there.
    package var stored: Stored?

    package init(
        _ key: Key, _ state: State? = nil, retryAfter: Int? = nil, attempts: Int = 0, failure: Problem? = nil,
        entry: ItemEntry? = nil, stored: Stored? = nil
    ) {
        (self.key, self.state, self.retryAfter, self.attempts) = (key, state, retryAfter, attempts)
        (self.failure, self.entry, self.stored) = (failure, entry, stored)
    }

    /// What the tree has of an item: its JSON and its files.
    package struct Stored: Sendable, Equatable {
        package let name: FileName
        package let title: String
        /// Whether there is an explanation.
        let hasText: Bool
        package var files: [StoredFile]
        package var mirror: MirrorPart
        /// The digest of the record (`Picture.content`); nil after the catalog was made anew (`Archive.content` reads it).
        package var content: Digest?
        /// How many pictures the record shows that are not here. What lacks one is due.
        package var lacks = 0
        /// The record is from the list that stands in for APOD Basic. It is due until it is from there.
        package var isStandIn = false
        /// The SHA-256 of the JSON file.
        package let json: Digest
        package let jsonBytes: Int
    }
}

extension Item {
    /// `stored`, but nil where its files were deleted.
    package var whole: Stored? { state == .pruned ? nil : stored }

    /// Whether they differ at most in when they are asked for again, and in their lists' order.
    func looks(like other: Item) -> Bool {
        var other = other
        (other.attempts, other.retryAfter, other.entry) = (attempts, retryAfter, entry)
        return self == other
    }
}

extension Item.Stored {
    /// The file to look at: the poster only where there is nothing else, the JSON where there is no file.
    package var main: String {
        view ?? files.first.map(name.with) ?? name.with(FileName.json)
    }

    /// The file to look at without a player: the picture, or a video's poster.
    package var image: StoredFile? { files.image }

    /// The name of the picture, the video or the page that opens it; nil while there is none.
    package var view: String? { files.main.map(name.with) }

    /// The JSON in its place in the tree.
    package var document: TreeFile {
        TreeFile(key: name.key, name: name.with(FileName.json), bytes: jsonBytes, sha256: json)
    }

    /// All files in their places, the JSON last.
    package var all: [TreeFile] { files.map { TreeFile($0, of: name) } + [document] }
}

/// A file in its place in the tree.
package struct TreeFile: Sendable, Equatable {
    package let key: Key
    package let name: String
    package let bytes: Int
    package let sha256: Digest
}

extension TreeFile {
    package init(_ file: StoredFile, of name: FileName) {
        self.init(key: name.key, name: name.with(file), bytes: file.bytes, sha256: file.sha256)
    }
}
