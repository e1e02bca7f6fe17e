import Apod
import Archive
import Configuration
import Syncing

/// `apod-mirror revert`
struct Revert {
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
