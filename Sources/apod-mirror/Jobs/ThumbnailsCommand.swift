import Apod
import Configuration
import Syncing

/// `apod-mirror thumbnails`
struct ThumbnailsCommand {
    static let command = Command(
        name: "thumbnails", words: "[DATE…]", summary: "make the missing smaller copies of pictures",
        explanation: """
            Makes the missing smaller copies of pictures, newest first: for browsers with
            the setting `gallery`, for file managers with `thumbnails`. It prints each path
            at once; if both are made, only those for browsers. With dates (2026-11-20), it
            also prints those that are there already.
            """,
        options: [.json]
    ) { try await ThumbnailsCommand($0, $1).run() }

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
