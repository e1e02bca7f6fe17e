import Archive
import Configuration
import Control
import Glibc
import Syncing

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
        if isDry { return try DryRun(settings: settings, part: .prune).run() }
        let service: ControlClient?
        do throws(ControlError) {
            service = try ControlClient.reach(root: settings.root, environment: Environment.current)
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
        guard let service else { return await runAlone() }
        let work = try WithService(service, ownSettings: ownSettings)
        if let other = OtherRetention(settings) {
            Terminal.complain("\(other); nothing is deleted: \(other.remedy), and see `apod-mirror prune --dry-run`")
            return .incomplete
        }
        return try await work.run(.prune)
    }

    private func runAlone() async -> ExitStatus {
        let inProcess: WithoutService
        do throws(ArchiveError) {
            inProcess = WithoutService(try OpenMirror.begin(settings))
        } catch {
            Terminal.complain("\(error)")
            return .incomplete
        }
        await inProcess.look()
        await inProcess.settle()
        if Signals.isAsked { return .incomplete }
        let status = await inProcess.applyRetention(atOnce: true)
        return await inProcess.updateGallery() == .done ? status : .incomplete
    }
}
