import Apod
import Archive
import Configuration
import Glibc
import Syncing

/// `apod-mirror prune`
struct Prune {
    private let jobs: JobCommand
    private let isDry: Bool
    private let otherLimits: [(key: String, origin: String, root: String)]

    init(_ usage: Usage, _ configuration: Configuration) {
        jobs = JobCommand(usage, configuration)
        isDry = usage.has("dry-run")
        otherLimits = configuration.otherLimits
    }

    func run() async throws(Usage.Mistake) -> ExitStatus {
        let settings = jobs.settings
        // Where nothing was ever mirrored, there is nothing to make, either.
        guard access("\(settings.root)/\(Tree.ownFolder)", F_OK) == 0 else { return nothingMirrored(in: settings.root) }
        for (key, origin, root) in otherLimits {
            Terminal.complain(
                "\(origin): \(key) is for the mirror in \(Text.shown(root)), and not for \(Text.shown(settings.root))")
        }
        return isDry ? try DryRun(settings).run() : try await jobs.run(.prune)
    }
}
