package import Apod
package import Decoders
import Decoding
import Files
package import Store
import Synchronization

/// Makes the copy to which `latest.jpg` leads while the newest picture is no JPEG (`LatestCopy`).
package final class LatestJPEG: Sendable {
    private let archive: Archive
    private let worker: String?
    private let limits: WorkerLimits
    /// The picture of which no copy can be made.
    private let refused = Mutex<Digest?>(nil)

    /// As large as what `pictures = screen` fetches.
    private static let rendition = Rendition(.jpeg, box: 3840)

    package init(
        _ archive: Archive, worker: String? = Worker.path, limits: WorkerLimits = WorkerLimits()
    ) {
        (self.archive, self.worker, self.limits) = (archive, worker, limits)
    }

    /// Returns the outcome; nil if there is nothing to do. A picture that was refused is not tried again.
    package func make(unless isPaused: @escaping @Sendable (Day) -> Bool = { _ in false }) async throws -> Thumbnail? {
        guard let worker else { return nil }
        let found = try await blocking { [self] in
            try archive.pictureToCopy { copy in isPaused(copy.day) || refused.withLock { $0 == copy.source } }
        }
        guard let (copy, file) = found,
            let result = await Worker.result(of: DecodingJob(file, [Self.rendition]), by: worker, limits)
        else { return nil }
        if let jpeg = result.jpeg { return await put(jpeg, as: copy) }
        guard let lack = result.lack(limits) else { return refuse(copy, "what the decoder made of it is no JPEG") }
        if lack.isOfPicture { return refuse(copy, lack.why) }
        return Thumbnail(key: .day(copy.day), outcome: .failed(why: lack.why), isInterrupted: result.isInterruption)
    }

    private func refuse(_ copy: LatestCopy, _ why: String) -> Thumbnail {
        refused.withLock { $0 = copy.source }
        return Thumbnail(key: .day(copy.day), outcome: .refused(why: why))
    }

    private func put(_ jpeg: [UInt8], as copy: LatestCopy) async -> Thumbnail {
        do {
            try await blocking { [archive] in try archive.put(jpeg, as: copy) }
            return Thumbnail(key: .day(copy.day), outcome: .made([copy.path], bytes: jpeg.count))
        } catch {
            return Thumbnail(key: .day(copy.day), error)
        }
    }
}
