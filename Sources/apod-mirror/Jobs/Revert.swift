import Apod
import Archive
import Configuration
import Syncing

/// `apod-mirror revert`
struct Revert {
    static let command = Command(
        name: "revert", words: "DATE", summary: "bring back what a correction replaced",
        explanation: """
            Brings back what NASA's last correction of a day replaced: texts, pictures and
            videos. Run again, it changes back. What it puts aside comes again only with
            `apod-mirror sync DATE`; other corrections come as ever.
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
