import Apod
import Configuration
import Files
import Glibc
import Service
import Store
import Syncing

/// `apod-mirror run`
struct Run {
    static let command = Command(
        name: "run", summary: "the service: fetch each day, watch favorites, prune",
        explanation: """
            Runs the service in the foreground, until Ctrl-C or SIGTERM. It fetches the new
            picture every day and older ones back to `since`, watches the folder
            `favorites`, deletes what `keep` and `max-total` do not allow, and does the work
            of other commands. With `listen`, it answers the web, too. SIGHUP makes it read
            its settings again.
            """,
        others: Setting.all.map(\.key), mirror: .begun
    ) { try await Run($0, $1).run() }

    private let settings: Settings
    private let file: String?
    private let usage: Usage

    init(_ usage: Usage, _ configuration: Configuration) {
        settings = configuration.settings
        file = configuration.file
        self.usage = usage
    }

    func run() async throws -> ExitStatus {
        if let keeper {
            Terminal.complain(keeper)
            return .incomplete
        }
        try checkAccess()
        Memory.limit()
        // Inherited files may be open, and libinotifytools needs a descriptor below 1024.
        closefrom(3)
        let tell: EventHandler = { [root = settings.root] in Self.enter($0, in: root) }
        var environment = ServiceEnvironment(version: ProgramVersion.number, variables: Environment.current, tell: tell)
        environment.webServer = Serve.words
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
            tell(.trouble("", Problem(error, in: settings)))
            return .incomplete
        }
    }

    /// Says that a service keeps the mirror already; nil if none does.
    private var keeper: String? {
        let service = settings.service
        // A user outside the group cannot ask the service.
        guard service != nil || Archive.announcement(root: settings.root) != nil else { return nil }
        let process = service.map { " (process \($0.service?.process ?? 0))" } ?? ""
        let root = Text.shown(settings.root)
        return "a service keeps \(root) already\(process): `apod-mirror status` tells what it does"
    }

    /// Throws if permissions forbid this user to keep the mirror.
    private func checkAccess() throws {
        let environment = Environment.current
        // Under systemd, the service waits until the folder belongs to it again.
        if environment["INVOCATION_ID"] != nil, environment["NOTIFY_SOCKET"] != nil { return }
        try Archive.checkVisible(root: settings.root, state: nil)
        let own = Tree.ownPath(in: settings.root)
        if let owner = FileOwner(of: own), owner.user != geteuid(), access(own, W_OK) != 0, errno == EACCES {
            throw Problem(.foreign, owner.name, path: settings.root).explained(for: settings)
        }
        // The service waits for a disk that is away.
        if KnownRoots(environment: environment).haveLost(settings.root) { return }
        if let closed = Problem.closed(to: settings) { throw closed }
    }

    private func reload(_ mirrorService: MirrorService, _ tell: EventHandler) {
        let configuration = usage.configuration
        if let refusal = configuration.refusal ?? configuration.refusal(beside: settings) {
            return mirrorService.refuse(refusal)
        }
        // Under systemd, `config --check` (ExecReload) has already printed them.
        if !Systemd.readsStandardError {
            for remark in configuration.remarks { tell(.noted(remark)) }
        }
        mirrorService.reload(configuration.settings, of: configuration.file)
    }

    /// Writes an event to the journal or the terminal, with what to do about a failure.
    private static func enter(_ event: Event, in root: String) {
        guard let entry = JournalEntry(event) else { return }
        let words = Terminal.completed(entry.words + (entry.failure?.advice(in: root) ?? ""))
        if !Systemd.readsStandardError || !Systemd.enter(entry, words) { Terminal.show(words, of: entry) }
    }
}
