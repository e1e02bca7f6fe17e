import Apod
import Decoding
package import Files

/// A picture that is decoded by itself, in a process of its own.
extension Worker {
    /// The most processes at once: each takes a processor and a thread of `blocking`.
    private static let places = AsyncSemaphore(2)

    /// Returns what became of the picture; nil when the task is cancelled.
    package static func result(
        of job: DecodingJob, by program: String, _ limits: WorkerLimits
    ) async -> Result? {
        let cancelled = EventFD()
        return await withTaskCancellationHandler {
            await places.holding {
                await blocking {
                    let first = result(of: job, by: program, limits, unless: cancelled)
                    // A killed worker says nothing about the picture: see `Worker.End.isInterruption`.
                    guard case .ended(.killed)? = first else { return first }
                    return result(of: job, by: program, limits, unless: cancelled)
                }
            }
        } onCancel: {
            cancelled.wake()
        }
    }

    /// Returns what became of the picture; nil when `cancelled` is woken.
    package static func result(
        of job: DecodingJob, by program: String, _ limits: WorkerLimits, unless cancelled: EventFD
    ) -> Result? {
        if cancelled.isWoken { return nil }
        let process: Worker
        let options = job.caption.isEmpty ? [] : ["captions"]
        do { process = try Worker(program, limits, options: options) } catch { return .notStarted("\(error)") }
        return process.result(of: job, unless: cancelled)
    }

    /// Waits for what becomes of a picture; nil when `cancelled` is woken.
    package func result(of job: DecodingJob, unless cancelled: EventFD) -> Result? {
        // A failure shows when the answer is read.
        _ = begin(job)
        while let ready = Self.firstToAnswer(among: [self], or: cancelled) {
            if let result = ready.finish(unless: cancelled) { return result }
            if cancelled.isWoken { break }
        }
        return nil
    }
}

extension Worker.Result {
    /// The first file that was made, if it is a JPEG.
    package var jpeg: [UInt8]? {
        guard case .answer(.made(_, let files)) = self, let jpeg = files.first, MediaType(firstBytes: jpeg) == .jpeg
        else { return nil }
        return jpeg
    }

    package var isInterruption: Bool { if case .ended(let end) = self { end.isInterruption } else { false } }

    /// Why nothing was made, and whether that is the picture's fault; nil if it was decoded.
    package func lack(_ limits: WorkerLimits) -> (why: String, isOfPicture: Bool)? {
        switch self {
        case .answer(.made): nil
        case .answer(.refused(let why)): (Text.shown(why), true)
        case .ended(let end): (end.words(limits), !end.isInterruption)
        case .notStarted(let why): (why, false)
        }
    }
}
