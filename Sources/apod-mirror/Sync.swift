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
        if !dates.isEmpty, until != nil { throw Usage.Mistake("sync takes dates or --until, not both") }
    }

    private static func day(_ word: String) throws(Usage.Mistake) -> Day {
        guard let day = Day(word) else {
            throw Usage.Mistake(
                "“\(Terminal.shown(word))” is not a day of APOD's; write it as 2026-11-20, from 1995-06-16 on")
        }
        return day
    }

    func run() async throws(Usage.Mistake) -> ExitStatus {
        do throws(ArchiveError) {
            let session = try Session.begin(configuration.settings)
            return await follow(session.refresh().start(try wish(session)), session)
        } catch {
            Terminal.complain(error.description)
            return .incomplete
        }
    }

    private func wish(_ session: Session) throws(ArchiveError) -> Refresh.Wish {
        guard dates.isEmpty else { return .days(dates) }
        let since = try session.since()
        let until = min(until ?? session.today, session.today)
        return .missing(min(since, until)...until)
    }
}

extension Session {
    static func begin(_ settings: Settings) throws(ArchiveError) -> Session {
        try Session(settings, version: Version.number, environment: Environment.current, now: { time(nil) })
    }
}

/// Shows a refresh until it ends.
func follow(_ running: Refresh.Running, _ session: Session, quietly: Bool = false) async -> ExitStatus {
    Interruption.onFirst { running.cancel() }
    let display = Display(isQuiet: quietly) { session.received }
    do {
        try await display.follow(running.events)
        return display.sum()
    } catch {
        return display.sum(endedBy: error)
    }
}
