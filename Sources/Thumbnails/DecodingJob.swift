internal import Apod
internal import Catalog
internal import Files

/// A picture that a worker decodes.
struct DecodingJob: Sendable {
    let day: Day
    let file: File
    let source: Digest
    let type: MediaType
    /// The thumbnails to make; empty to check the picture only.
    let wanted: ThumbnailUses
    var wasKilled = false
}
