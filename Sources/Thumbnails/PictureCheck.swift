package import Decoders
package import Files

/// Checks that a picture is whole, by decoding it to its end, before it takes the place of another.
package struct PictureCheck: Sendable {
    package enum Judgement: Sendable, Equatable {
        /// Also where no decoder is installed.
        case whole
        /// Damaged, too much for the decoder, or of a kind that it does not know.
        case refused(why: String)
        /// The decoder was stopped or did not start, which says nothing of the picture.
        case unanswered(why: String)
    }

    private let worker: String?
    private let limits: WorkerLimits

    /// `worker`: the program that decodes; without it, every picture counts as whole.
    package init(worker: String? = Worker.path, limits: WorkerLimits = WorkerLimits()) {
        self.worker = worker
        self.limits = limits
    }

    package func judgement(of file: File) async -> Judgement {
        guard let worker else { return .whole }
        guard let result = await Worker.result(of: DecodingJob(file), by: worker, limits) else {
            return .unanswered(why: "stopped")
        }
        guard let lack = result.lack(limits) else { return .whole }
        return lack.isOfPicture ? .refused(why: lack.why) : .unanswered(why: lack.why)
    }
}
