internal import Apod
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
    /// A link as the mirror makes it, to a file that is there.
    var isTidy = false
    var finding = Finding.nothing

    enum Finding: Equatable {
        /// A link to this file of a day, or what counts as one; nil where it only names the day.
        case day(Day, file: String?)
        /// It may be a copy of one of the mirror's pictures: only its content tells.
        case copy
        /// Not the mirror's, and why.
        case unrecognised(Stranger)
        case album
        /// A name that the mirror itself gives for a moment.
        case leftover
        case nothing
        /// It is there, but the disk does not tell.
        case unknown(StorageError)
    }

    var day: Day? { if case .day(let day, _) = finding { day } else { nil } }
    var file: String? { if case .day(_, let file) = finding { file } else { nil } }
    var isLink: Bool { target != nil }

    /// A link to a file of a day, as the mirror makes it.
    var isOwn: Bool { target?.isOwn(in: place.album.depth) ?? false }
}
