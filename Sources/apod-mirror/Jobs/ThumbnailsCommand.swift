import Apod
import Configuration
import Syncing

/// `apod-mirror thumbnails`
struct ThumbnailsCommand {
    private let jobs: JobCommand
    private let days: Set<Day>

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        jobs = JobCommand(usage, configuration)
        days = try usage.days
    }

    func run() async throws -> ExitStatus {
        guard jobs.settings.hasCatalog else { return try nothingMirrored(in: jobs.settings) }
        return try await jobs.run(.thumbnails(days))
    }
}
