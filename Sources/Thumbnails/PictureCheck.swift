package import Apod
internal import Concurrency
internal import Decoding
package import Files

/// Checks that a picture is whole, by decoding it to its end, before it takes the place of another.
package struct PictureCheck: Sendable {
    package enum Finding: Sendable, Equatable {
        /// Also where no decoder is installed.
        case whole
        /// Damaged, too much for the decoder, or of a kind that it does not know.
        case refused(why: String)
        /// The decoder was stopped or did not start, which says nothing of the picture.
        case unanswered(why: String)
    }

    private let worker: String?
    private let limits: WorkerLimits

    /// The most checks at once: each takes a processor and a thread of `blocking`.
    private static let places = AsyncSemaphore(2)

    /// `worker`: the program that decodes; without it, every picture counts as whole.
    package init(worker: String? = Worker.path, limits: WorkerLimits = WorkerLimits(wait: .seconds(300))) {
        self.worker = worker
        self.limits = limits
    }

    package func finding(of file: File, _ type: MediaType) async -> Finding {
        guard let worker else { return .whole }
        let cancelled = EventFD()
        return await withTaskCancellationHandler {
            await Self.places.holding {
                await blocking { finding(of: file, type, by: worker, unless: cancelled) }
            }
        } onCancel: {
            cancelled.wake()
        }
    }

    private func finding(of file: File, _ type: MediaType, by worker: String, unless cancelled: EventFD) -> Finding {
        // A killed worker says nothing about the picture: see `Worker.End.isInterruption`.
        for _ in 1...2 {
            // Day and digest are not used.
            let job = DecodingJob(day: .first, file: file, source: Digest(of: [UInt8]()), type: type, wanted: [])
            guard let result = result(of: job, by: worker, unless: cancelled) else {
                return .unanswered(why: "stopped")
            }
            switch result {
            case .answer(.made): return .whole
            case .notStarted(let why): return .unanswered(why: why)
            case .answer(.damaged(let why)), .answer(.refused(let why)): return .refused(why: Text.shown(why))
            case .ended(.killed): continue
            case .ended(let end):
                let why = end.words(limits)
                return end.isInterruption ? .unanswered(why: why) : .refused(why: why)
            }
        }
        return .unanswered(why: Worker.End.killed.words(limits))
    }

    /// nil when `cancelled` is woken.
    private func result(of job: DecodingJob, by worker: String, unless cancelled: EventFD) -> Worker.Result? {
        if cancelled.isWoken { return nil }
        let process: Worker
        do throws(StorageError) { process = try Worker(worker, limits) } catch { return .notStarted("\(error)") }
        // A failure shows when the answer is read.
        _ = process.begin(job)
        while let ready = Worker.firstToAnswer(among: [process], or: cancelled) {
            if let (_, result) = ready.finish(unless: cancelled) { return result }
            if cancelled.isWoken { break }
        }
        return nil
    }
}
