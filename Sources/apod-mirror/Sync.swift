import Apod
import Archive
import Favorites
import Files
import Glibc
import Service

/// `apod-mirror sync`
struct Sync {
    private let configuration: Configuration
    private let dates: Set<Day>
    private let until: Day?

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        self.configuration = configuration
        var dates: Set<Day> = []
        for word in usage.words { dates.insert(try Usage.day(word)) }
        self.dates = dates
        until = try usage["until"].map { word throws(Usage.Mistake) in try Usage.day(word) }
        if !dates.isEmpty, until != nil || usage.settings.contains(where: { $0.key == "since" }) {
            throw Usage.Mistake("sync takes dates, or a range with --since and --until, but not both")
        }
    }

    func run() async throws(Usage.Mistake) -> ExitStatus {
        let session: Session
        let since: Day
        do throws(ArchiveError) {
            session = try Session.begin(configuration.settings)
            since = try session.since()
            if let found = session.archive.found, found > 0 {
                let root = Text.shown(configuration.settings.root)
                Terminal.complain("made a new catalog from the \(found) days in \(root)")
            }
        } catch {
            Terminal.complain(error.description)
            return .incomplete
        }
        let favorites = session.reconciler()
        await look(with: favorites)
        var status = await follow(session.refresh().start(try wish(since, session.today)), session, named: dates)
        if !Interruption.isAsked, dates.isEmpty { status = await fetchWishes(session, status) }
        if !Interruption.isAsked { await settle(favorites) }
        return status
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

    private func wish(_ since: Day, _ today: Day) throws(Usage.Mistake) -> Refresh.Wish {
        guard dates.isEmpty else { return .days(dates) }
        if let until, until < since {
            throw Usage.Mistake("--until \(until) is before the first day to mirror, \(since); give --since too")
        }
        let until = min(until ?? today, today)
        return .missing(min(since, until)...until)
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
