import Apod
import Archive
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
        for word in usage.words { dates.insert(try Self.day(word)) }
        self.dates = dates
        until = try usage["until"].map { word throws(Usage.Mistake) in try Self.day(word) }
        if !dates.isEmpty, until != nil || usage.settings.contains(where: { $0.key == "since" }) {
            throw Usage.Mistake("sync takes dates, or a range with --since and --until, but not both")
        }
    }

    private static func day(_ word: String) throws(Usage.Mistake) -> Day {
        guard let day = Day(word) else {
            throw Usage.Mistake(
                "“\(Terminal.shown(word))” is not a day of APOD's; write it as 2026-11-20, from 1995-06-16 on")
        }
        return day
    }

    func run() async throws(Usage.Mistake) -> ExitStatus {
        let session: Session
        let since: Day
        do throws(ArchiveError) {
            session = try Session.begin(configuration.settings)
            since = try session.since()
            if let found = session.archive.found, found > 0 {
                Terminal.complain("made a new catalog from the \(found) days in \(configuration.settings.root)")
            }
        } catch {
            Terminal.complain(error.description)
            return .incomplete
        }
        return await follow(session.refresh().start(try wish(since, session.today)), session, named: dates)
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
