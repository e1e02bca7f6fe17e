internal import Apod
package import Archive
internal import Favorites
package import Fetching
internal import Files
internal import Glibc
internal import Synchronization

/// The service: opens the mirror, runs all that keeps it, and opens it again when that is what helps.
package final class Caretaker: Sendable {
    /// What is around the service.
    package struct Surroundings: Sendable {
        package let version: String
        package let environment: [String: String]
        package var time: any Timekeeping = SystemTime()
        package var tell: Telling
        /// Whoever started the service.
        package var notify: @Sendable (Systemd.News) -> Void = Systemd.notify
        package var watchdog = Systemd.watchdog
        /// How patient fetching is.
        package var tune: @Sendable (inout Fetcher.Settings) -> Void = { _ in }

        /// Where its socket is to be; systemd names several, separated by colons.
        var runtimeFolder: String? {
            environment["RUNTIME_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }.flatMap {
                $0.hasPrefix("/") ? $0 : nil
            }
        }

        package init(version: String, environment: [String: String], tell: @escaping Telling) {
            self.version = version
            self.environment = environment
            self.tell = tell
        }
    }

    private struct State {
        var settings: Settings
        var isReloading = false
        var isReady = false
        var work: Task<Void, any Error>?
        /// Whom the watchdog asks.
        var questions: [Watchdog.Question] = []
        /// Where the mirror was open: what is there without one is a disk that is not mounted.
        var opened: Set<String> = []
    }

    private let around: Surroundings
    private let activity: Activity
    private let control: Control
    private let state: Mutex<State>

    package init(_ settings: Settings, _ around: Surroundings) {
        self.around = around
        state = Mutex(State(settings: settings))
        activity = Activity { [notify = around.notify] in notify(.status($0)) }
        control = Control(home: around.runtimeFolder, version: around.version, activity: activity)
    }

    /// Until the task is cancelled. Throws what kept the mirror from being opened for the first time.
    package func run() async throws(ArchiveError) {
        let failure = await withTaskCancellationHandler {
            await withTaskGroup(of: ArchiveError?.self) { group in
                group.addTask { await self.keep() }
                group.addTask { await self.stayAlive() }
                // The watchdog ends only with the rest.
                while let ended = await group.next() {
                    if ended != nil || Task.isCancelled { group.cancelAll() }
                    if let ended { return Optional(ended) }
                }
                return nil
            }
        } onCancel: {
            around.notify(.stopping)
            around.tell(Notice(.stopping, "stopping"))
        }
        control.close()
        if let failure { throw failure }
    }

    private func keep() async -> ArchiveError? {
        var isFirst = true
        var failure: ArchiveError?
        var pause = Self.shortest
        while !Task.isCancelled {
            let start = ContinuousClock.now
            let outcome = await untilReloaded { [isFirst, failure, pause] in
                if let failure { try await self.rest(after: failure, pause) }
                try await self.attend(isFirst: isFirst)
            }
            // What went well for long has not failed again, but anew.
            pause = .now - start > Self.longest ? Self.shortest : min(pause * 2, Self.longest)
            failure = nil
            if case .failure(let error as ArchiveError) = outcome {
                if isFirst, !error.endsService { return error }
                failure = error
            }
            isFirst = false
        }
        return nil
    }

    /// Between two attempts to keep a mirror that had to be closed.
    private static let shortest = Duration.milliseconds(250)
    private static let longest = Duration.seconds(300)

    private func rest(after failure: ArchiveError, _ pause: Duration) async throws(CancellationError) {
        wait(for: failure.description, state.withLock(\.settings))
        try await nap(for: pause)
    }

    private func stayAlive() async -> ArchiveError? {
        guard let watchdog = around.watchdog else { return nil }
        // Told often enough that one delay does no harm.
        try? await Watchdog(interval: watchdog / 3) { [notify = around.notify] in notify(.alive) }
            .run { [self] in state.withLock(\.questions) }
        return nil
    }

    /// Goes on with other settings, which may mean another folder: everything is closed and opened again.
    package func reload(_ settings: Settings) {
        let isSame = state.withLock { state in
            if state.settings == settings { return true }
            state.settings = settings
            state.isReloading = true
            state.work?.cancel()
            return false
        }
        activity.change { $0.refusedSettings = nil }
        around.notify(.reloading)
        if isSame {
            around.notify(.ready)
            around.tell(Notice(.reloaded, "the settings are the same as before"))
        }
    }

    /// Goes on by the settings that it has.
    package func refuse(_ complaint: Configuration.Complaint) {
        around.tell(Notice(.settingsRefused, "\(complaint.description); the settings stay as they are"))
        activity.change { $0.refusedSettings = complaint.description }
    }

    private func untilReloaded(_ work: @escaping @Sendable () async throws -> Void) async -> Result<Void, any Error> {
        // Begun in here, so that a reload finds either the settings not read yet or something to cancel.
        let task = state.withLock { state in
            let task = Task(executorPreference: Threads.shared, operation: work)
            state.work = task
            state.isReady = false
            return task
        }
        return await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
    }

    private func attend(isFirst: Bool) async throws {
        let settings = state.withLock(\.settings)
        // What was said of the mirror as it was open before.
        activity.change { $0 = .init(waiting: $0.waiting, refusedSettings: $0.refusedSettings, syncs: $0.syncs) }
        await listen(settings)
        let session = try await open(settings, isFirst: isFirst)
        let station = Station(session: session, time: around.time, activity: activity, tell: around.tell)
        let (gaps, gap) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (arrivals, arrival) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let keeper = session.keeper { [self] event in
            take(event, settings)
            if case .settled = event { arrival.yield() }
        }
        let daily = Daily(station: station, jitter: .random(in: 0...Schedule.mostJitter)) {
            gap.yield()
            arrival.yield()
        }
        let backfill = Backfill(station: station, occasions: gaps) { arrival.yield() }
        let clearing = Clearing(station: station, keeper: keeper, occasions: arrivals)
        let wishes = Wishes(station, keeper)
        let attendant = Attendant(station, keeper, control, in: settings.stateFolder)
        // Who is told that the service is up can reach it. What fails is told when the duty tries again.
        try? await attendant.open()
        let supervisor = Supervisor(time: around.time, activity: activity, tell: around.tell)
        let catalog = session.archive.catalog
        let questions: [Watchdog.Question] = [
            { _ = await blocking { try? catalog.fact(.since) } },
            { await keeper.answer() },
            { await station.isGettingOn() },
        ]
        state.withLock { $0.questions = questions }
        defer { state.withLock { $0.questions = [] } }
        let failure = await supervisor.run([
            Duty(.favorites) { try await keeper.run() },
            Duty(.wishes) { try await wishes.run() },
            Duty(.refresh) { try await daily.run() },
            Duty(.backfill) { try await backfill.run() },
            Duty(.retention) { try await clearing.run() },
            Duty(.control) { try await attendant.run() },
        ])
        // As long as anybody can be sent to the attendant, the mirror stays open.
        await attendant.close()
        if let failure { throw failure }
    }

    /// Whoever asks is told what is waited for.
    private func listen(_ settings: Settings) async {
        control.keep(settings.root)
        do throws(DiskError) {
            try await blocking { [control] () throws(DiskError) in try control.listenAtHome() }
        } catch {
            around.tell(Notice(.trouble, "commands cannot reach the service yet: \(error)"))
        }
    }

    private func take(_ event: Keeper.Event, _ settings: Settings) {
        switch event {
        case .failed(let error):
            activity.change { $0.troubles[.favorites] = .init(why: error.description, retry: around.time.now + 30) }
        case .watching(.lost(let why)):
            activity.change { $0.troubles[.favorites] = .init(why: why, retry: around.time.now) }
        case .recovered, .watching: activity.change { $0.troubles[.favorites] = nil }
        case .vanished, .settled: break
        }
        if let notice = Notice(event, in: settings.root) { around.tell(notice) }
        ready(settings)
    }

    /// Waits for what will come: a disk that is mounted, room on it, a clock that is set.
    private func open(_ settings: Settings, isFirst: Bool) async throws -> Session {
        var pause = Duration.milliseconds(50)
        while true {
            let why: String
            var failure: ArchiveError?
            do throws(ArchiveError) {
                if let session = try await openNow(settings) {
                    activity.change { $0.waiting = nil }
                    return session
                }
                why = "the clock is not set: it shows a day before this program was made"
            } catch {
                if isFirst, !error.mayPass { throw error }
                why = error.description
                failure = error
            }
            // Whoever is just closing the mirror is not told of.
            if isFirst || pause > .milliseconds(200) { wait(for: why + around.advice(on: failure), settings) }
            try await nap(for: pause)
            pause = min(pause * 2, .seconds(10))
        }
    }

    /// nil if the clock is not set yet: what is chosen by it now would be wrong for ever.
    private func openNow(_ settings: Settings) async throws(ArchiveError) -> Session? {
        let around = around
        if around.time.now < Self.oldestNow { return nil }
        let isKnown = state.withLock { $0.opened.contains(settings.root) }
        let session = try await blocking { () throws(ArchiveError) in
            if isKnown, KnownRoots.isEmpty(settings.root) { throw .away(root: settings.root) }
            return try Session(
                settings, version: around.version, environment: around.environment, now: { around.time.now },
                tune: around.tune)
        }
        state.withLock { _ = $0.opened.insert(settings.root) }
        return session
    }

    /// 2026-11-01: this program did not exist before.
    private static let oldestNow = 1_793_491_200

    private func wait(for why: String, _ settings: Settings) {
        if activity.now.waiting != why { around.tell(Notice(.waiting, "waiting: \(why)")) }
        activity.change { $0.waiting = why }
        ready(settings)
    }

    /// The service is up when it watches, or has said what it waits for.
    private func ready(_ settings: Settings) {
        let (isNew, isReloading) = state.withLock { state in
            defer {
                state.isReady = true
                state.isReloading = false
            }
            return (!state.isReady, state.isReloading)
        }
        guard isNew else { return }
        around.notify(.ready)
        if activity.now.waiting != nil { return }
        let root = Text.shown(settings.root)
        around.tell(isReloading ? Notice(.reloaded, "new settings for \(root)") : Notice(.ready, "keeping \(root)"))
    }
}

extension Caretaker.Surroundings {
    /// systemd lets the service write in a few folders only.
    fileprivate func advice(on failure: ArchiveError?) -> String {
        guard case .disk(let error)? = failure, error.isRefusal, environment["INVOCATION_ID"] != nil else { return "" }
        return "; after a change of `root` or `state`, run systemd/install again"
    }
}

extension ArchiveError {
    /// It is worth waiting for, without anybody doing anything to the settings.
    fileprivate var mayPass: Bool {
        switch self {
        case .away, .replaced: true
        case .disk(let error): !error.isNoFolder && error.code != ENAMETOOLONG
        case .catalog(let error): error.isFull
        case .inUse, .foreign, .networkDisk: false
        }
    }
}

extension Notice {
    /// nil for what need not be told.
    init?(_ event: Keeper.Event, in root: String) {
        let folder = Text.shown("\(root)/\(Tree.favorites)")
        switch event {
        case .watching(.inotify): self.init(.watching, "watching \(folder)")
        case .watching(.polling(let why)):
            self.init(.watching, "looking into \(folder) every few seconds: \(why)", grade: .warning)
        case .watching(.lost(let why)): self.init(.lost, "no favorites folder: \(why); it is waited for")
        case .vanished(let links):
            self.init(
                .vanished,
                """
                \(links == 1 ? "1 link has" : "\(links) links have") vanished from \(folder); their pictures stay favorites. \
                `apod-mirror favorites restore` makes the links again, `apod-mirror favorites forget` confirms
                """)
        case .failed(let error): self.init(.trouble, "\(error); tried again soon")
        case .recovered: self.init(.watching, "\(folder) is kept up with again")
        case .settled: return nil
        }
    }
}
