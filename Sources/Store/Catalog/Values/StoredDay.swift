package import Apod
import Files

/// A day's files in the tree, as the catalog knows them.
package struct StoredDay: Sendable, Equatable {
    package let name: FileName
    package let title: String
    /// Whether there is an explanation.
    let hasText: Bool
    package var files: [StoredFile]
    package let fetched: Int
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

extension StoredDay {
    /// The file to look at: the poster only where there is nothing else, the JSON where there is no file.
    package var main: String {
        view ?? files.first.map(name.with) ?? name.with(FileName.json)
    }

    /// The file to look at without a player: the picture, or a video's poster.
    package var image: StoredFile? { files.image }

    /// The name of the picture, the video or the page that opens it; nil while there is none.
    package var view: String? { files.main.map(name.with) }
}
