internal import Apod
internal import Catalog
internal import Files

/// A picture on its way through a worker.
struct DecodingJob: Sendable {
    let day: Day
    let file: File
    let source: Digest
    let type: MediaType
    /// What is to be made of it.
    let wanted: ThumbnailUses
    /// The worker was killed over it once.
    var wasKilled = false
}
