import Apod
import Archive
import Configuration
import Control
import Files
import Syncing

/// Has a job done by the running service or, without one, in this process, and shows its progress.
struct JobCommand {
    let settings: Settings
    let asJSON: Bool

    init(_ usage: Usage, _ configuration: Configuration) {
        settings = configuration.settings
        asJSON = usage.has("json")
    }

    func run(_ job: Job) async throws -> ExitStatus {
        if let service = try service() { return try await run(job, by: service) }
        let since: Day? = if case .sync(let order) = job { order.since } else { nil }
        let mirror: OpenMirror
        do throws(ArchiveError) {
            mirror = try OpenMirror.begin(settings, since: since)
        } catch {
            // A service that was about to start may answer by now.
            guard case .inUse = error, let service = try service() else { throw error }
            return try await run(job, by: service)
        }
        return try await run(job, on: mirror)
    }

    /// The running service; nil if there is none.
    func service() throws -> ControlClient? {
        try ControlClient.reach(root: settings.root, environment: Environment.current)
    }

    func run(_ job: Job, by service: ControlClient) async throws -> ExitStatus {
        try await show(job, isServed: true) { report in try await service.run(job, report) }
    }

    func run(_ job: Job, on mirror: OpenMirror) async throws -> ExitStatus {
        try await show(job) { report in try await OwnProcess(mirror, for: job, report).run() }
    }

    private func show(
        _ job: Job, isServed: Bool = false, _ work: @escaping JobDisplay.Work
    ) async throws -> ExitStatus {
        let display = JobDisplay(JobReport(of: job, in: settings.root, asJSON: asJSON, isServed: isServed))
        do {
            let status = try await display.follow(work, endsBySignal: !job.isBrief)
            return Signals.isAsked ? .incomplete : status
        } catch let mistake as SyncOrder.Mistake {
            throw Usage.Mistake(mistake.description)
        } catch ControlError.mistake(let why) {
            throw Usage.Mistake(why)
        }
    }
}

extension Failure {
    /// The failure of a job, here or in the service.
    init(ofJob error: any Error, in settings: Settings) {
        switch error as? ControlError {
        case .cancelled: self.init(RefreshError.cancelled, in: settings)
        case .failed(let failure): self = failure
        case .refused(let socket):
            let owner = FileOwner(of: socket) ?? FileOwner(of: Tree.favoritesPath(in: settings.root))
            self.init(.other, "\(error)" + (FailureRemedy.joining(owner).map { "; \($0)" } ?? ""))
        default: self.init(error, in: settings)
        }
    }
}
