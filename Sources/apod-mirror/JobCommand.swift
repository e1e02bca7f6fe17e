import Archive
import Configuration
import Control
import Syncing

/// Has a job done, and shows what becomes of it: by the service that runs or, without one, in this process.
struct JobCommand {
    let settings: Settings
    /// Those given with the command itself.
    private let ownSettings: [String]
    private let asJSON: Bool

    /// Settings that say which service is to do what; all others, it has read itself.
    private static let applicable: Set = ["root", "state", "since"]

    init(_ settings: Settings, own ownSettings: [String] = [], asJSON: Bool = false) {
        self.settings = settings
        self.ownSettings = ownSettings
        self.asJSON = asJSON
    }

    init(_ usage: Usage, _ configuration: Configuration) {
        self.init(configuration.settings, own: usage.settings.map(\.key), asJSON: usage.has("json"))
    }

    func run(_ job: Job) async throws(Usage.Mistake) -> ExitStatus {
        do {
            guard let service = try service() else { return try await run(job, on: OpenMirror.begin(settings)) }
            if job == .prune, let other = OtherRetention(settings) {
                let remedy = "\(other.remedy), and see `apod-mirror prune --dry-run`"
                Terminal.complain("\(other); nothing is deleted: \(remedy)")
                return .incomplete
            }
            return try await run(job, by: service)
        } catch let mistake as Usage.Mistake {
            throw mistake
        } catch {
            Terminal.complain(Signals.explained("\(error)"))
            return .incomplete
        }
    }

    /// The service that is to do it; nil if none runs.
    func service() throws -> ControlClient? {
        guard let service = try ControlClient.reach(root: settings.root, environment: Environment.current) else {
            return nil
        }
        try checkSettings()
        return service
    }

    /// A service goes by the settings that it has read itself.
    func checkSettings() throws(Usage.Mistake) {
        let foreign = Set(ownSettings).subtracting(Self.applicable).sorted().map { "--\($0)" }
        if foreign.isEmpty { return }
        throw Usage.Mistake(
            """
            the running service has its own settings: leave out \(foreign.joined(separator: ", ")), or change them \
            where the service reads them, and reload it
            """)
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
