internal import Apod
internal import Archive
internal import Catalog
internal import Files

/// A look at one place of the favorites folder.
struct Sighting {
    let place: Place
    /// Set for regular files, and for things to put in order; taken before the thing is examined further.
    var facts: File.Facts?
    /// Set for symbolic links.
    var target: LinkTarget?
    /// The file of the tree of which this is a hard link.
    var original: TreeFile?
    /// A link as the mirror makes it, to a file that is there.
    var isTidy = false
    var finding = Finding.nothing

    enum Finding: Equatable {
        /// A link to a file of a day or of an item, or what counts as one; `file` is nil where it only names the subject.
        case favorite(Subject, file: String?)
        /// A file that may be a copy of a picture: only its content tells.
        case copy
        /// No favorite, and why.
        case unrecognised(UnrecognisedReason)
        case album
        /// A thing with a temporary name of the mirror's own (`LinkExchange`).
        case leftover
        case nothing
        /// The place cannot be examined.
        case unknown(StorageError)
    }

    var subject: Subject? { if case .favorite(let subject, _) = finding { subject } else { nil } }
    var file: String? { if case .favorite(_, let file) = finding { file } else { nil } }
    var isLink: Bool { target != nil }

    /// What a link says, unless it has the form that the mirror writes.
    var words: String? { isOwn ? nil : target.map { String(decoding: $0.bytes, as: UTF8.self) } }

    /// A link to a file of the tree, as the mirror makes it.
    var isOwn: Bool { target?.isOwn(in: place.album.depth) ?? false }
}
