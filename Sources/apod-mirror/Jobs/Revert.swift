import Apod
import Configuration
import Store
import Syncing

/// `apod-mirror revert`
struct Revert {
    static let command = Command(
        name: "revert", words: "DATE", summary: "bring back what a correction replaced",
        explanation: """
            Brings back the texts, pictures and videos from before NASA's last correction of
            a day. Run again, it changes back. A version that it puts aside comes back only
            with `apod-mirror sync DATE`; later corrections are fetched as usual.
            """
    ) { try await Revert($0, $1).run() }

    private let jobs: JobCommand
    private let day: Day

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        jobs = JobCommand(usage, configuration)
        guard usage.words.count == 1 else { throw Usage.Mistake("revert takes one DATE") }
        day = try Usage.day(usage.words[0])
    }

    func run() async throws -> ExitStatus {
        if KnownRoots.isEmpty(jobs.settings.root) { return try nothingMirrored(in: jobs.settings) }
        return try await jobs.run(.revert(day))
    }
}
