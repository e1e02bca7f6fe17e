import Apod
import Concurrency
import Configuration
import Daemon
import Glibc
import Synchronization
import Syncing

/// `apod-mirror run`
struct Run {
    private let settings: Settings
    private let file: String?
    private let read: @Sendable () -> Configuration

    /// `read`: reads the settings again.
    init(_ configuration: Configuration, read: @escaping @Sendable () -> Configuration) {
        settings = configuration.settings
        file = configuration.file
        self.read = read
    }

    func run() async -> ExitStatus {
        if let why = RunObstacle(settings)?.description {
            Terminal.complain(why)
            return .incomplete
        }
        Memory.limit()
        // Inherited files may be open, and libinotifytools needs a descriptor below 1024.
        closefrom(3)
        Self.root.withLock { $0 = settings.root }
        let tell: NoticeHandler = { Self.enter($0) }
        let environment = ServiceEnvironment(version: Version.number, variables: Environment.current, tell: tell)
        let mirrorService = MirrorService(settings, of: file, environment)
        // The service says nothing before it can be stopped.
        let (start, starting) = AsyncStream.makeStream(of: Never.self)
        let task = Task(executorPreference: ThreadExecutor.shared) {
            for await _ in start {}
            try await mirrorService.run()
        }
        // In a terminal, SIGHUP means that it was closed, which ends the service.
        let hangUp: (@Sendable () -> Void)? =
            isatty(STDIN_FILENO) == 1 ? nil : { @Sendable in reload(mirrorService, tell) }
        Signals.onFirst(hangUp: hangUp) { task.cancel() }
        starting.finish()
        do {
            try await task.value
            return .done
        } catch {
            tell(Notice(.trouble, "\(error)", of: Failure(error, in: settings)))
            return .incomplete
        }
    }

    private func reload(_ mirrorService: MirrorService, _ tell: NoticeHandler) {
        let configuration = read()
        let change = RootChange(configuration: configuration, serviceRoot: mirrorService.root)
        if let refusal = configuration.refusal(of: .everything) ?? change.refusal {
            return mirrorService.refuse(refusal)
        }
        // Under systemd, `config --check` (ExecReload) has already printed them.
        if !Systemd.readsStandardError {
            for complaint in configuration.passedOver(by: .everything) { tell(Notice(.noted, complaint)) }
        }
        Self.root.withLock { $0 = configuration.settings.root }
        mirrorService.reload(configuration.settings, of: configuration.file)
    }

    /// The root that the advice in notices is about.
    private static let root = Mutex("")

    /// Writes a notice to the journal or the terminal, with what to do about a failure.
    private static func enter(_ notice: Notice) {
        let notice = notice.with(advice: notice.failure?.advice(in: root.withLock(\.self)) ?? "")
        if !Systemd.readsStandardError || !Systemd.enter(notice) { Terminal.show(notice) }
    }
}
