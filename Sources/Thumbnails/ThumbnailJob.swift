internal import Apod
internal import Catalog
internal import Decoders
internal import Files

/// A day's picture whose thumbnails a worker makes.
struct ThumbnailJob: Sendable {
    let day: Day
    let source: Digest
    /// The thumbnails to make.
    let wanted: ThumbnailUses
    var decoding: DecodingJob

    init(day: Day, file: File, source: Digest, wanted: ThumbnailUses) {
        (self.day, self.source, self.wanted) = (day, source, wanted)
        decoding = DecodingJob(file, wanted.renditions)
    }
}
