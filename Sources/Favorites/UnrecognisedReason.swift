/// Why something in the favorites folder is left alone.
package enum UnrecognisedReason: String, Sendable, CaseIterable {
    /// A file that is not one of the mirror's pictures.
    case file
    /// A file that may be a copy of a picture, and is still to be compared.
    case undecided
    /// A temporary file of some program.
    case temporary
    case hidden
    case hiddenFolder = "hidden-folder"
    /// Neither a file nor a link.
    case special
    /// A link out of the mirror, or a broken one.
    case outside
    /// A broken link to a name that no picture here has.
    case unlike
    /// A link to a date on which there can be no picture.
    case noDay = "no-day"
    /// A link to a day after tomorrow.
    case toCome = "to-come"
    case linkToFolder = "link-to-folder"
    case linkToOther = "link-to-other"
    /// A link to a file in the mirror that is none of its pictures.
    case linkToFile = "link-to-file"
    case linkToThumbnail = "link-to-thumbnail"
    case tooDeep = "too-deep"
    /// A folder in which something is mounted.
    case mounted
}
