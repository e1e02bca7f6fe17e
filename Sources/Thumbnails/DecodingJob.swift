internal import Apod
internal import Catalog
internal import Decoding
internal import Files

/// A picture that a worker decodes.
struct DecodingJob: Sendable {
    let day: Day
    let file: File
    let source: Digest
    let type: MediaType
    /// The thumbnails to make.
    let wanted: ThumbnailUses
    /// The files to ask for; empty to check the picture only.
    let renditions: [Rendition]
    var wasKilled = false

    init(day: Day, file: File, source: Digest, type: MediaType, wanted: ThumbnailUses) {
        (self.day, self.file, self.source, self.type, self.wanted) = (day, file, source, type, wanted)
        renditions = wanted.renditions
    }

    /// For `Worker.result`, which does not use day and digest.
    init(_ file: File, _ type: MediaType, _ renditions: [Rendition] = []) {
        (day, source, wanted) = (.first, Digest(of: [UInt8]()), [])
        (self.file, self.type, self.renditions) = (file, type, renditions)
    }
}
