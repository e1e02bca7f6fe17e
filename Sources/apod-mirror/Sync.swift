import Apod
import Archive
import Concurrency
import Configuration
import Control
import Daemon
import Glibc
import Syncing

/// `apod-mirror sync`
struct Sync {
    private let settings: Settings
    private let order: SyncOrder
    private let isDry: Bool
    /// Given with the command itself.
    private let ownSettings: [String]

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        settings = configuration.settings
        ownSettings = usage.settings.map(\.key)
        isDry = usage.has("dry-run")
        var dates: Set<Day> = []
        for word in usage.words { dates.insert(try Usage.day(word)) }
        let since = ownSettings.contains("since") ? settings.since : nil
        let until = try usage["until"].map { word throws(Usage.Mistake) in try Usage.day(word) }
        if !dates.isEmpty, until != nil || since != nil {
            throw Usage.Mistake("sync takes dates, or a range with --since and --until, but not both")
        }
        order = SyncOrder(days: dates, since: since, until: until)
    }

    func run() async throws(Usage.Mistake) -> ExitStatus {
        if isDry { return try DryRun(settings: order.applied(to: settings), part: .sync(order)).run() }
        let service: ControlClient?
        do throws(ControlError) {
            service = try ControlClient.reach(root: settings.root, environment: Environment.current)
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
        if let service {
            return try await WithService(service, ownSettings: ownSettings, root: settings.root).run(.sync(order))
        }
        return try await runAlone()
    }

    private func runAlone() async throws(Usage.Mistake) -> ExitStatus {
        let mirror: OpenMirror
        let since: Day
        let wanted: ClosedRange<Day>?
        do throws(ArchiveError) {
            mirror = try OpenMirror.begin(settings)
            (since, wanted) = try mirror.range(of: order)
            if let found = mirror.archive.found, found > 0 {
                let root = Text.shown(settings.root)
                Terminal.complain("made a new catalog from the \(found) days in \(root)")
            }
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
        let inProcess = WithoutService(mirror)
        await inProcess.look()
        let request = try Usage.checking { () throws(SyncOrder.Mistake) in try order.request(since: since, wanted) }
        var status = await fetch(request, mirror, since)
        if !Signals.isAsked, order.days.isEmpty { status = await fetchDueFavorites(mirror, status) }
        if !Signals.isAsked { await inProcess.settle() }
        if !Signals.isAsked, !order.isByName {
            let outcome = await inProcess.applyRetention()
            if outcome != .done { status = outcome }
        }
        if !Signals.isAsked { status = await mend(mirror, status) }
        if !Signals.isAsked {
            let outcome = await inProcess.keepThumbnails()
            if outcome != .done { status = outcome }
        }
        if !Signals.isAsked, await inProcess.updateGallery() != .done { return .incomplete }
        return status
    }

    private func fetch(_ request: Refresh.Request?, _ mirror: OpenMirror, _ since: Day) async -> ExitStatus {
        guard let request else {
            Terminal.print(order.nothing(since: since, today: mirror.today))
            return .done
        }
        return await follow(mirror.refresh(for: order).start(request), named: order.days, into: settings.root) {
            mirror.received
        }
    }

    private func fetchDueFavorites(_ mirror: OpenMirror, _ status: ExitStatus) async -> ExitStatus {
        let days = (try? mirror.dueFavorites()) ?? []
        if days.isEmpty { return status }
        // What is still to come is no failure.
        let named = days.filter { $0 <= mirror.today }
        let outcome = await follow(mirror.refresh().start(.days(days)), named: named, into: settings.root) {
            mirror.received
        }
        return outcome == .done ? status : outcome
    }

    /// Says what became of days that an earlier program has fetched.
    private func mend(_ mirror: OpenMirror, _ status: ExitStatus) async -> ExitStatus {
        let work = Task(executorPreference: ThreadExecutor.shared) { try await mirror.mending.run() }
        Signals.onFirst { work.cancel() }
        do {
            for notice in try await work.value.notices { Terminal.show(notice) }
            return Signals.isAsked ? .incomplete : status
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
    }
}
