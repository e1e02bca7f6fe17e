import Apod
import Archive
import Configuration
import Glibc
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

    func run() async throws(Usage.Mistake) -> ExitStatus {
        let settings = jobs.settings
        guard access("\(settings.root)/\(Tree.ownFolder)", F_OK) == 0 else { return nothingMirrored(in: settings.root) }
        return try await jobs.run(.revert(day))
    }
}
