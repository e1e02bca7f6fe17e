import Apod
import Archive
import Files
import Glibc
import Service

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
        if isDry { return try dryRun() }
        let service: ControlClient?
        do throws(ControlFailure) {
            service = try ControlClient.reach(root: settings.root, environment: Environment.current)
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
        if let service { return try await ServiceWork(service, ownSettings: ownSettings).run(.sync(order)) }
        return try await runAlone()
    }

    private func dryRun() throws(Usage.Mistake) -> ExitStatus {
        if let since = settings.since {
            try Usage.checking { () throws(SyncOrder.Mistake) in try order.check(since: since) }
        }
        return DryRun(settings: order.applied(to: settings), part: .sync(order)).run()
    }

    private func runAlone() async throws(Usage.Mistake) -> ExitStatus {
        let session: Session
        let since: Day
        let wanted: ClosedRange<Day>?
        do throws(ArchiveError) {
            session = try Session.begin(settings)
            (since, wanted) = try session.range(of: order)
            if let found = session.archive.found, found > 0 {
                let root = Text.shown(settings.root)
                Terminal.complain("made a new catalog from the \(found) days in \(root)")
            }
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
        let housework = Housework(session)
        await housework.look()
        let wish = try Usage.checking { () throws(SyncOrder.Mistake) in try order.wish(since: since, wanted) }
        var status = await fetch(wish, session)
        if !Interruption.isAsked, order.days.isEmpty { status = await fetchWishes(session, status) }
        if !Interruption.isAsked { await housework.settle() }
        if !Interruption.isAsked, !order.isByName {
            let outcome = await housework.letGo()
            if outcome != .done { status = outcome }
        }
        if !Interruption.isAsked { status = await mend(session, status) }
        return status
    }

    private func fetch(_ wish: Refresh.Wish?, _ session: Session) async -> ExitStatus {
        guard let wish else {
            Terminal.print(order.nothing(today: session.today))
            return .done
        }
        return await follow(session.refresh(for: order).start(wish), named: order.days) { session.received }
    }

    private func fetchWishes(_ session: Session, _ status: ExitStatus) async -> ExitStatus {
        let days = (try? session.wishes()) ?? []
        if days.isEmpty { return status }
        // What is still to come is no failure.
        let named = days.filter { $0 <= session.today }
        let outcome = await follow(session.refresh().start(.days(days)), named: named) { session.received }
        return outcome == .done ? status : outcome
    }

    /// Says what became of days that an earlier program has fetched.
    private func mend(_ session: Session, _ status: ExitStatus) async -> ExitStatus {
        let work = Task(executorPreference: Threads.shared) { try await session.mending.run() }
        Interruption.onFirst { work.cancel() }
        do {
            for notice in try await work.value.notices { Terminal.show(notice) }
            return Interruption.isAsked ? .incomplete : status
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
    }
}
