import Archive
import Configuration
import Control
import Synchronization
import Syncing

/// Has a job done, and shows what becomes of it: by the service that runs or, without one, in this process.
struct JobCommand {
    let settings: Settings
    /// Those given with the command itself.
    private let ownSettings: [String]
    private let asJSON: Bool
    /// Where the settings are from, where that is known.
    private let configuration: Configuration?

    /// Settings that say which service is to do what; all others, it has read itself.
    private static let applicable: Set = ["root", "state", "since"]

    init(
        _ settings: Settings, own ownSettings: [String] = [], asJSON: Bool = false,
        _ configuration: Configuration? = nil
    ) {
        self.settings = settings
        self.ownSettings = ownSettings
        self.asJSON = asJSON
        self.configuration = configuration
    }

    init(_ usage: Usage, _ configuration: Configuration) {
        self.init(configuration.settings, own: usage.settings.map(\.key), asJSON: usage.has("json"), configuration)
    }

    func run(_ job: Job) async throws(Usage.Mistake) -> ExitStatus {
        do {
            guard let service = try service() else { return try await run(job, on: OpenMirror.begin(settings)) }
            if job == .prune, let other = OtherRetention(settings, configuration) {
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
        if foreign.isEmpty { return noteEnvironment() }
        throw Usage.Mistake(
            """
            the running service has its own settings: leave out \(foreign.joined(separator: ", ")), or change them \
            where the service reads them, and reload it
            """)
    }

    private static let hasNotedEnvironment = Mutex(false)

    /// Where those of the environment are others, that is told once.
    private func noteEnvironment() {
        let environment = Environment.current
        let given = Setting.all.filter { setting in
            let isPlace = ["root", "state"].contains(setting.key) || ownSettings.contains(setting.key)
            return !isPlace && environment[Configuration.variable(setting.key)] != nil
        }
        guard !given.isEmpty,
            let theirs = ControlClient.status(root: settings.root, environment: environment)?.state.settings
        else { return }
        let foreign = given.filter { $0.show(settings) != $0.show(theirs) }.map { Configuration.variable($0.key) }
        if foreign.isEmpty { return }
        let wasNoted = Self.hasNotedEnvironment.withLock { wasNoted in
            defer { wasNoted = true }
            return wasNoted
        }
        if wasNoted { return }
        Terminal.complain(
            "the running service goes by its own settings, and not by \(foreign.joined(separator: ", ")) of this environment"
        )
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
