import Apod
import Configuration
import Syncing

/// `apod-mirror sync`
struct Sync {
    static let command = Command(
        name: "sync", words: "[DATE…]", summary: "fetch what is missing, or these days",
        explanation: """
            Fetches the missing days from --since to --until, and checks the newest again
            for corrections. Without these options, it fetches from the setting `since` to
            today, and tries failed days again. With dates (2026-11-20), it fetches these,
            even if they are here. Ctrl-C stops it; the same command continues.

            Then it deletes what `keep` and `max-total` do not allow, or says what waits for
            `prune`. With dates, or with both --since and --until, it deletes nothing.

            Without dates, it also fetches the other lists in the settings.
            """,
        options: [
            Command.Option("until", "the last day, instead of today", taking: "DATE"),
            Command.Option("list", "only this list of the settings", taking: "NAME"),
        ],
        explained: [Command.Option("since", "the first day, instead of the setting `since`", taking: "DATE")],
        others: Setting.fetchKeys + Setting.place, mirror: .begun
    ) { try await Sync($0, $1).run() }

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
        let list = try usage.list
        if list != nil, !dates.isEmpty || since != nil || until != nil {
            throw Usage.Mistake("sync takes days or a list, but not both")
        }
        let given = usage.settings.map(\.key).filter(Setting.fetchKeys.contains)
        let shown = configuration.settings.shown.filter { given.contains($0.key) }
        order = SyncOrder(
            days: dates, since: since, until: until, list: list,
            settings: Dictionary(shown.map { ($0.key, $0.value) }) { $1 })
    }

    func run() async throws -> ExitStatus { try await jobs.run(.sync(order)) }
}
