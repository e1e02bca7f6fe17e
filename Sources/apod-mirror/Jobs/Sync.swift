import Apod
import Configuration
import Syncing

/// `apod-mirror sync`
struct Sync {
    private let jobs: JobCommand
    private let order: SyncOrder

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        jobs = JobCommand(usage, configuration)
        let dates = try usage.days
        let since = usage.settings.contains { $0.key == "since" } ? configuration.settings.since : nil
        let until = try usage["until"].map { word throws(Usage.Mistake) in try Usage.day(word) }
        if !dates.isEmpty, until != nil || since != nil {
            throw Usage.Mistake("sync takes dates, or a range with --since and --until, but not both")
        }
        let given = usage.settings.map(\.key).filter(Setting.fetchKeys.contains)
        let shown = configuration.settings.shown.filter { given.contains($0.key) }
        order = SyncOrder(
            days: dates, since: since, until: until,
            settings: Dictionary(shown.map { ($0.key, $0.value) }) { $1 })
    }

    func run() async throws -> ExitStatus { try await jobs.run(.sync(order)) }
}
