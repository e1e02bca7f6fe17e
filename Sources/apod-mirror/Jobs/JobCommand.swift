import Apod
import Configuration
import Files
import Service
import Store
import Syncing

/// Has a job done by the running service or, without one, in this process, and shows its progress.
struct JobCommand {
    let settings: Settings
    let asJSON: Bool

    init(_ usage: Usage, _ configuration: Configuration) {
        settings = configuration.settings
        asJSON = usage.has("json")
    }

    /// Where a job is done.
    enum Runner {
        case service(ControlClient)
        /// In this process, which holds the mirror.
        case here(OpenMirror)
    }

    func run(_ job: Job) async throws -> ExitStatus {
        let since: Day? = if case .sync(let order) = job { order.since } else { nil }
        return try await run(job, in: try place(since: since))
    }

    /// Finds the running service or, without one, opens the mirror. `since`: see `OpenMirror.init`.
    func place(since: Day? = nil, service: (() throws -> ControlClient?)? = nil) throws -> Runner {
        let service = service ?? self.service
        if let service = try service() { return .service(service) }
        do {
            return .here(try OpenMirror.begin(settings, since: since))
        } catch {
            // A service that was about to start may answer by now.
            guard error.problem.code == .used, let service = try service() else { throw error }
            return .service(service)
        }
    }

    /// The running service; nil if there is none.
    private func service() throws -> ControlClient? {
        try ControlClient.reach(root: settings.root, environment: Environment.current)
    }

    func run(_ job: Job, in place: Runner) async throws -> ExitStatus {
        switch place {
        case .service(let service):
            return try await show(job, isServed: true) { report in try await service.run(job, report) }
        case .here(let mirror):
            let words = { @Sendable [root = settings.root] (failure: Problem) in failure.told(in: root) }
            return try await show(job) { report in try await OwnService(mirror, words: words, report).run(job) }
        }
    }

    private func show(
        _ job: Job, isServed: Bool = false, _ work: @escaping JobDisplay.Running
    ) async throws -> ExitStatus {
        let display = JobDisplay(JobReport(of: job, in: settings.root, asJSON: asJSON, isServed: isServed))
        do {
            let status = try await display.run(work, endsBySignal: !job.isBrief)
            return Signals.isAsked ? .incomplete : status
        } catch let mistake as SyncOrder.Contradiction {
            throw Usage.Mistake(mistake.description)
        }
    }
}
