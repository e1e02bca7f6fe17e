package import Apod
internal import Concurrency
internal import Decoding
package import Files

/// Whether pictures are whole, by decoding them to their end, before one takes the place of another.
package struct PictureCheck: Sendable {
    private let worker: String?
    private let limits: WorkerLimits

    /// `worker`: the program that decodes; without it, nothing is known of any picture.
    package init(worker: String? = Worker.path, limits: WorkerLimits = WorkerLimits()) {
        self.worker = worker
        self.limits = limits
    }

    /// Why a picture is damaged; nil if it is not, or nobody can tell.
    package func damage(of file: File, _ type: MediaType) async -> String? {
        let cancelled = EventFD()
        return await withTaskCancellationHandler {
            await blocking { damage(of: file, type, unless: cancelled) }
        } onCancel: {
            cancelled.wake()
        }
    }

    private func damage(of file: File, _ type: MediaType, unless cancelled: EventFD) -> String? {
        guard let worker else { return nil }
        // Nothing is made of it.
        let job = DecodingJob(day: .first, file: file, source: Digest(of: [UInt8]()), type: type, wanted: [])
        var result: Worker.Result?
        if let process = try? Worker(worker, limits), process.begin(job) {
            while result == nil, let ready = Worker.firstToAnswer(among: [process], or: cancelled) {
                result = ready.finish(unless: cancelled)?.1
                if cancelled.isWoken { return nil }
            }
        }
        switch result {
        case .answer(.damaged(let why)): return Text.shown(why)
        // No whole picture does that.
        case .ended(.crashed(let signal)): return Worker.End.crashed(signal: signal).words(limits)
        // What is too much for the decoder says nothing of it.
        case .answer, .ended, .notStarted, nil: return nil
        }
    }
}
