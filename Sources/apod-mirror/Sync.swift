import Apod
import Archive
import Favorites
import Files
import Glibc
import Service

/// `apod-mirror sync`
struct Sync {
    private let settings: Settings
    private let dates: Set<Day>
    private let until: Day?
    private let isDry: Bool

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        var dates: Set<Day> = []
        for word in usage.words { dates.insert(try Usage.day(word)) }
        self.dates = dates
        until = try usage["until"].map { word throws(Usage.Mistake) in try Usage.day(word) }
        isDry = usage.has("dry-run")
        let isSinceNamed = usage.settings.contains { $0.key == "since" }
        if !dates.isEmpty, until != nil || isSinceNamed {
            throw Usage.Mistake("sync takes dates, or a range with --since and --until, but not both")
        }
        var settings = configuration.settings
        // What is asked for by name is fetched, whether it would be kept or not, and costs nothing else its place.
        if !dates.isEmpty || until != nil && isSinceNamed { (settings.keep, settings.maxTotal) = (nil, nil) }
        self.settings = settings
    }

    func run() async throws(Usage.Mistake) -> ExitStatus {
        if isDry { return try dryRun() }
        let session: Session
        let since: Day
        let wanted: ClosedRange<Day>?
        do throws(ArchiveError) {
            session = try Session.begin(settings)
            since = try session.since()
            wanted = try session.wanted(until: min(until ?? session.today, session.today))
            if let found = session.archive.found, found > 0 {
                let root = Text.shown(settings.root)
                Terminal.complain("made a new catalog from the \(found) days in \(root)")
            }
        } catch {
            Terminal.complain(error.description)
            return .incomplete
        }
        let favorites = session.reconciler()
        await look(with: favorites)
        try check(since)
        var status = await fetch(wanted, session)
        if !Interruption.isAsked, dates.isEmpty { status = await fetchWishes(session, status) }
        if !Interruption.isAsked { await settle(favorites) }
        if !Interruption.isAsked { status = await letGo(session, status) }
        return status
    }

    private func dryRun() throws(Usage.Mistake) -> ExitStatus {
        if let since = settings.since { try check(since) }
        return DryRun(settings: settings, dates: dates, until: until).run()
    }

    private func check(_ since: Day) throws(Usage.Mistake) {
        guard dates.isEmpty, let until, until < since else { return }
        throw Usage.Mistake("--until \(until) is before the first day to mirror, \(since); give --since too")
    }

    private func fetch(_ wanted: ClosedRange<Day>?, _ session: Session) async -> ExitStatus {
        if !dates.isEmpty { return await follow(session.refresh().start(.days(dates)), session, named: dates) }
        guard let wanted else {
            Terminal.print("nothing to fetch: keep and max-total leave no day until \(until ?? session.today)")
            return .done
        }
        return await follow(session.refresh().start(.missing(wanted)), session)
    }

    /// Whatever happened in the favorites folder since the last time.
    private func look(with favorites: Reconciler) async {
        do throws(ArchiveError) {
            try await blocking { () throws(ArchiveError) in
                favorites.makeFolder()
                try favorites.note(.everywhere)
            }
        } catch {
            Terminal.complain(error.description)
        }
    }

    private func fetchWishes(_ session: Session, _ status: ExitStatus) async -> ExitStatus {
        let days = (try? session.wishes()) ?? []
        if days.isEmpty { return status }
        // What is still to come is no failure.
        let named = days.filter { $0 <= session.today }
        let outcome = await follow(session.refresh().start(.days(days)), session, named: named)
        return outcome == .done ? status : outcome
    }

    private func settle(_ favorites: Reconciler) async {
        do throws(ArchiveError) {
            for _ in 1...3 {
                let isSettled = try await blocking { () throws(ArchiveError) in try favorites.settle() }
                if isSettled { return }
                try? await nap(for: favorites.rest)
            }
        } catch {
            Terminal.complain(error.description)
        }
    }

    /// Says what was let go of.
    private func letGo(_ session: Session, _ status: ExitStatus) async -> ExitStatus {
        let work = Task(executorPreference: Threads.shared) { try await session.retention.apply() }
        Interruption.onFirst { work.cancel() }
        do {
            let pruning = try await work.value
            for notice in pruning.notices { Terminal.show(notice) }
            return pruning.left.isEmpty && !Interruption.isAsked ? status : .incomplete
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
    }
}

extension Session {
    static func begin(_ settings: Settings) throws(ArchiveError) -> Session {
        try Session(settings, version: Version.number, environment: Environment.current, now: { time(nil) })
    }
}

/// Shows a refresh until it ends.
func follow(
    _ running: Refresh.Running, _ session: Session, named: Set<Day> = [], quietly: Bool = false
) async -> ExitStatus {
    Interruption.onFirst { running.cancel() }
    let display = Display(named: named, isQuiet: quietly) { session.received }
    do {
        try await display.follow(running.events)
        return display.sum()
    } catch {
        return display.sum(endedBy: error)
    }
}
