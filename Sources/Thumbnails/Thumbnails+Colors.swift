package import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Decoders
internal import Decoding
package import Files

/// The average colours of pictures whose thumbnails were made without, as in a new catalog, which knows the files only.
extension Thumbnails {
    /// The days whose thumbnails for screens have no colour yet, newest first.
    package func colorless() throws(StorageError) -> [Day] {
        uses.contains(.screens) ? try catalog.daysWithoutColor() : []
    }

    /// Reads the colours of some days from their smallest thumbnails, one after the other, and records them at once.
    /// Returns the days whose colours it found; what cannot be decoded stays without.
    package func readColors(of days: [Day]) async throws(StorageError) -> [Day] {
        guard let worker else { return [] }
        let cancelled = EventFD()
        let result = await withTaskCancellationHandler {
            await blocking {
                Result { () throws(StorageError) in try readColors(of: days, by: worker, unless: cancelled) }
            }
        } onCancel: {
            cancelled.wake()
        }
        return try result.get()
    }

    private func readColors(
        of days: [Day], by program: String, unless cancelled: EventFD
    ) throws(StorageError) -> [Day] {
        var colors: [(day: Day, source: Digest, color: Int)] = []
        var process: Worker?
        for day in days {
            guard let job = try smallest(of: day) else { continue }
            // nil where no process can be started now.
            if process == nil { process = try? Worker(program, limits) }
            switch process?.result(of: job.decoding, unless: cancelled) {
            case .answer(.made(let color, _)): colors.append((day, job.source, color))
            case .answer: break
            case .ended(let end) where !end.isInterruption: process = nil
            case .ended: return try record(colors)
            case .notStarted, nil: return try record(colors)
            }
        }
        return try record(colors)
    }

    private func record(_ colors: [(day: Day, source: Digest, color: Int)]) throws(StorageError) -> [Day] {
        try catalog.setColors(colors)
        return colors.map(\.day)
    }

    /// nil where it is missing, or shows another picture than the day's.
    private func smallest(of day: Day) throws(StorageError) -> ThumbnailJob? {
        guard let record = try catalog.thumbnail(of: day), record.uses.contains(.screens),
            try catalog.status(of: day)?.whole?.image?.sha256 == record.source,
            let file = try openGallery()?.folder("\(day.year)")?.file(GallerySize.small.name(of: day))
        else { return nil }
        return ThumbnailJob(day: day, file: file, source: record.source, wanted: [])
    }
}
