internal import Catalog
internal import Files

/// What was seen in one place of the favorites folder.
struct Sighting {
    let place: Place
    /// Of a file, and of what is to be put in order; from before anything else was asked about it.
    var facts: File.Facts?
    /// Of a link.
    var target: LinkTarget?
    /// The file of the tree that this is under another name.
    var original: TreeFile?
    var finding = Finding.nothing
    /// What is to be remembered of a link that leads out of the mirror, or may do so (`LinkTarget.memory`).
    var elsewhere: [UInt8]?
    /// It leads nowhere, and counts for a day by its end alone.
    var isGuess = false

    enum Finding: Equatable {
        case meaning(Meaning)
        /// A file that is no link. It may be a copy of one of the mirror's pictures, or not: only its content tells.
        case file(mayBeCopy: Bool)
        case album
        case nothing
        /// It is there, but the disk does not tell.
        case unknown(StorageError)
    }

    var meaning: Meaning? { if case .meaning(let meaning) = finding { meaning } else { nil } }

    /// A link to a file of a day, as the mirror makes it.
    var isOwn: Bool { target?.isOwn(in: place.album.depth) ?? false }
}
