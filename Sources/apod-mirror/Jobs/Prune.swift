import Apod
import Archive
import Configuration
import Glibc
import Syncing

/// `apod-mirror prune`
struct Prune {
    private let jobs: JobCommand
    private let isDry: Bool

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        jobs = JobCommand(usage, configuration)
        isDry = usage.has("dry-run")
        if !isDry, let (key, _) = usage.settings.first(where: { Command.limits.contains($0.key) }) {
            throw .init("prune has the option --\(key) only with --dry-run; it deletes by the settings")
        }
    }

    func run() async throws(Usage.Mistake) -> ExitStatus {
        let settings = jobs.settings
        // `prune` must not begin a mirror.
        guard access("\(settings.root)/\(Tree.ownFolder)", F_OK) == 0 else { return nothingMirrored(in: settings.root) }
        return isDry ? try DryRun(settings).run() : try await jobs.run(.prune)
    }
}
