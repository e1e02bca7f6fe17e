import Archive
import Files
import Glibc
import Service

/// `apod-mirror prune`
struct Prune {
    private let settings: Settings
    private let isDry: Bool
    /// Given with the command itself.
    private let ownSettings: [String]

    init(_ usage: Usage, _ configuration: Configuration) {
        settings = configuration.settings
        isDry = usage.has("dry-run")
        ownSettings = usage.settings.map(\.key)
    }

    func run() async throws(Usage.Mistake) -> ExitStatus {
        // Where nothing was ever mirrored, there is nothing to make, either.
        guard access("\(settings.root)/\(Tree.ownFolder)", F_OK) == 0 else { return nothingMirrored(in: settings.root) }
        if isDry { return DryRun(settings: settings, part: .prune).run() }
        let service: ControlClient?
        do throws(ControlFailure) {
            service = try ControlClient.reach(root: settings.root, environment: Environment.current)
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
        if let service { return try await ServiceWork(service, ownSettings: ownSettings).run(.prune) }
        return await runAlone()
    }

    private func runAlone() async -> ExitStatus {
        let housework: Housework
        do throws(ArchiveError) {
            housework = Housework(try Session.begin(settings))
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
        await housework.look()
        await housework.settle()
        return Interruption.isAsked ? .incomplete : await housework.letGo(atOnce: true)
    }
}
