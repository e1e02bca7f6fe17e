package import Apod
import Decoders
import Decoding
import Files
import Store

/// The average colours of pictures whose thumbnails were made without, as in a new catalog, which knows the files only.
extension Thumbnails {
    /// The pictures whose thumbnails for screens have no colour yet, newest first.
    package func colorless() throws -> [PictureKey] {
        uses.contains(.screens) ? try catalog.picturesWithoutColor() : []
    }

    /// Reads the colours of some pictures from their smallest thumbnails, one after the other, and records them at once.
    /// Returns the pictures whose colours it found; what cannot be decoded stays without.
    package func readColors(of pictures: [PictureKey]) async throws -> [PictureKey] {
        guard let worker else { return [] }
        let cancelled = EventFD()
        let result = await withTaskCancellationHandler {
            await blocking {
                Result { try readColors(of: pictures, by: worker, unless: cancelled) }
            }
        } onCancel: {
            cancelled.wake()
        }
        return try result.get()
    }

    private func readColors(
        of pictures: [PictureKey], by program: String, unless cancelled: EventFD
    ) throws -> [PictureKey] {
        var colors: [(picture: PictureKey, source: Digest, color: Int)] = []
        var process: Worker?
        for picture in pictures {
            guard let job = try smallest(of: picture) else { continue }
            // nil where no process can be started now.
            if process == nil { process = try? Worker(program, limits) }
            switch process?.result(of: job.decoding, unless: cancelled) {
            case .answer(.made(let color, _)): colors.append((picture, job.source, color))
            case .answer: break
            case .ended(let end) where !end.isInterruption: process = nil
            case .ended: return try record(colors)
            case .notStarted, nil: return try record(colors)
            }
        }
        return try record(colors)
    }

    private func record(_ colors: [(picture: PictureKey, source: Digest, color: Int)]) throws -> [PictureKey] {
        try catalog.setColors(colors)
        return colors.map(\.picture)
    }

    /// nil where it is missing, or shows another picture than the present one.
    private func smallest(of picture: PictureKey) throws -> ThumbnailJob? {
        guard let record = try catalog.thumbnail(of: picture), record.uses.contains(.screens),
            try catalog.item(of: picture.key)?.whole?.files.image(picture.number)?.sha256 == record.source,
            let gallery = try openGallery(),
            let folder = try Tree.existingFolder(GallerySize.folder(of: picture.key), in: gallery),
            let file = try folder.file(GallerySize.small.name(of: picture))
        else { return nil }
        return ThumbnailJob(picture: picture, file: file, source: record.source, wanted: [])
    }
}
