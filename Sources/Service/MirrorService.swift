import Apod
package import Configuration
import Favorites
import Files
import Store
import Synchronization
import Syncing

/// The service: opens the mirror (`OpenRetry`), runs the parts that keep it (`ServiceGroup`), and opens it again after
/// a reload or an error that only this mends.
///
/// `Queue` does their work, and begins again what fails. The parts share a `ServiceContext`, and report to `Activity` for
/// the status and in each `Event` for the journal. `RequestHandler` takes the jobs of commands, and `JobRunner` does them.
/// `Systemd` and `Watchdog` report to systemd.
package final class MirrorService: Sendable {
    private struct State {
        var settings: Settings
        /// The file they were read from, if any.
        var file: String?
        var isReloading = false
        /// Whether systemd knows that the service is up, and people that its mirror is open.
        var isReady = false, isTold = false
        var work: Task<Void, any Error>?
        /// The questions of the watchdog; none while no mirror is open.
        var questions: [Watchdog.Probe] = []
        /// Whether the root was open before. If it is empty later, its disk is not mounted.
        var wasOpen = false
    }

    private let environment: ServiceEnvironment
    private let activity: Activity
    private let control: ControlServer
    private let web: ControlServer
    private let state: Mutex<State>
    /// Why the mirror is not open.
    private let waiting = ToldOnce<Problem>()
    private let tell: EventHandler

    /// `file`: where the settings were read.
    package init(_ settings: Settings, of file: String? = nil, _ environment: ServiceEnvironment) {
        self.environment = environment
        tell = FullDiskFilter(environment.tell).tell
        state = Mutex(State(settings: settings, file: file))
        activity = Activity { [notify = environment.notify] in notify(.status($0)) }
        let note: ControlServer.JobNote = { [tell] in tell(.asked($0, $1, isAllowed: $2)) }
        control = ControlServer(
            home: environment.runtimeFolder, version: environment.version, activity: activity, note: note)
        web = ControlServer(
            home: environment.webFolder, version: environment.version, activity: activity, isOfWeb: true, note: note)
    }

    /// Runs until the task is cancelled. Throws why the mirror cannot be opened for the first time.
    package func run() async throws {
        let failure = await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.stayAlive() }
                defer { group.cancelAll() }
                return await self.runMirror()
            }
        } onCancel: {
            environment.notify(.stopping)
            tell(.stopping)
        }
        control.close()
        web.close()
        if let failure { throw failure }
    }

    private func runMirror() async -> Problem? {
        var isFirst = true
        var failure: Problem?
        // The pauses before a mirror is opened again that had to be closed.
        var backoff = Backoff(Duration.milliseconds(250), atMost: .seconds(300))
        while !Task.isCancelled {
            let start = ContinuousClock.now
            let outcome = await untilReloaded { [isFirst, failure, pause = backoff.pause] in
                if let failure { try await self.waitToReopen(after: failure, pause) }
                try await self.attend(isFirst: isFirst)
            }
            // After a long good run, the pauses start short again. The time includes the pause before it.
            if .now - start > .seconds(600) { backoff.reset() } else { backoff.grow() }
            failure = nil
            if case .failure(let error) = outcome, ![.stopped, .other].contains(error.problem.code) {
                if isFirst, !error.problem.endsService { return error.problem }
                failure = error.problem
            }
            isFirst = false
        }
        return nil
    }

    private func waitToReopen(after failure: Problem, _ pause: Duration) async throws(CancellationError) {
        wait(for: failure, state.withLock(\.settings))
        try await sleep(for: pause)
    }

    private func stayAlive() async {
        guard let watchdog = environment.watchdog else { return }
        // A third, so that one delay does no harm.
        try? await Watchdog(interval: watchdog / 3) { [notify = environment.notify] in notify(.alive) }
            .run { [self] in state.withLock(\.questions) }
    }

    /// Goes on with these settings of the same folders. If they differ, the mirror is closed and opened again.
    package func reload(_ settings: Settings, of file: String? = nil) {
        environment.notify(.reloading)
        let isSame = state.withLock { state in
            state.file = file
            if state.settings == settings { return true }
            state.settings = settings
            state.isReloading = true
            state.work?.cancel()
            return false
        }
        activity.change { state in
            state.refusedSettings = nil
            state.settingsFile = file
        }
        if isSame {
            environment.notify(.ready)
            tell(.reloaded(root: nil))
        }
    }

    /// Tells why new settings are refused. The old ones stay.
    package func refuse(_ complaint: ConfigurationError) {
        activity.change { $0.refusedSettings = complaint.description }
        tell(.settingsRefused(complaint.description))
    }

    private func untilReloaded(_ work: @escaping @Sendable () async throws -> Void) async -> Result<Void, any Error> {
        // Started under the lock, so that `reload` finds either unread settings or a task to cancel.
        let task = state.withLock { state in
            let task = Task(executorPreference: ThreadExecutor.shared, operation: work)
            state.work = task
            (state.isReady, state.isTold) = (false, false)
            return task
        }
        return await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
    }

    private func attend(isFirst: Bool) async throws {
        let (settings, file) = state.withLock { ($0.settings, $0.file) }
        // Drops what was noted of the mirror as it was open before.
        activity.change { state in
            let former = state
            state = .init()
            (state.waiting, state.refusedSettings) = (former.waiting, former.refusedSettings)
            (state.settings, state.settingsFile, state.syncs) = (settings, file, former.syncs)
        }
        await listen()
        let isKnown = state.withLock(\.wasOpen)
        let openRetry = OpenRetry(settings: settings, environment: environment, isFirst: isFirst, isKnown: isKnown) {
            why in
            self.wait(for: why, settings)
        }
        let mirror = try await openRetry.mirror()
        waiting.change(to: nil)
        activity.change { $0.waiting = nil }
        for words in mirror.news { tell(.noted(words)) }
        let context = ServiceContext(mirror: mirror, time: environment.time, activity: activity, tell: tell)
        let webServer = settings.listen == nil ? [] : environment.webServer(settings, file)
        let services = ServiceGroup(context, serving: control, web, webServer) { self.handle($0, settings) }
        state.withLock { state in
            state.wasOpen = true
            state.questions = services.questions
        }
        defer { state.withLock { $0.questions = [] } }
        try await services.run()
    }

    /// Listens before the mirror is open, so that commands learn what the service waits for.
    private func listen() async {
        do {
            try await blocking { [control] in try control.listenAtHome() }
        } catch {
            tell(.trouble("commands cannot reach the service yet: ", error.problem))
        }
    }

    private func handle(_ event: Event, _ settings: Settings) {
        var event = event
        switch event {
        case .workFailed(let part, let error, let asks, let pause):
            let why = Problem(error, in: settings)
            let isNews = activity.now.troubles[.favorites]?.failure != why
            activity.change { $0.troubles[.favorites] = .init(why, retry: environment.time.now + pause) }
            guard isNews else { return }
            event = .workFailed(part, why: why, asks: asks, pause: pause)
        case .recovered: activity.change { $0.troubles[.favorites] = nil }
        case .watching(let watching, _): activity.change { $0.watching = watching }
        default: break
        }
        tell(event)
        ready(settings)
    }

    private func wait(for why: Problem, _ settings: Settings) {
        if waiting.change(to: why) { tell(.waiting(why)) }
        activity.change { state in
            state.waiting = why
            // Without a mirror, nothing watches or refreshes.
            (state.watching, state.nextRefresh) = (nil, nil)
        }
        ready(settings)
    }

    /// Tells systemd that the service is up: it watches the favorites, or has said what it waits for.
    private func ready(_ settings: Settings) {
        let isOpen = !waiting.isThere
        let (isNew, isReloading, isTold) = state.withLock { state in
            defer {
                state.isReady = true
                if isOpen { (state.isTold, state.isReloading) = (true, false) }
            }
            return (!state.isReady, state.isReloading, state.isTold)
        }
        if isNew { environment.notify(.ready) }
        if !isOpen || isTold { return }
        tell(isReloading ? .reloaded(root: settings.root) : .ready(root: settings.root))
    }
}
