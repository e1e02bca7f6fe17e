import Apod
import Configuration
import Favorites
import Files
import Glibc
import Service
import Store
import Syncing

/// `favorites add`, `remove` and `restore`, by the running service or, without one, by this process. A user who may use
/// neither works in the folder only.
struct FavoritesChange {
    private let order: FavoritesOrder
    private let jobs: JobCommand

    private var settings: Settings { jobs.settings }

    init(_ order: FavoritesOrder, _ jobs: JobCommand) {
        self.order = order
        self.jobs = jobs
    }

    func run() async throws -> ExitStatus {
        do {
            let place = try jobs.place { try? ControlClient.reach(root: settings.root) }
            return try await jobs.run(.favorites(order), in: place)
        } catch let problem as Problem {
            if problem.code == .used { return try runAsGuest(besideOther: true) }
            guard [.foreign, .closedSocket].contains(problem.code) || [EACCES, EPERM].contains(problem.errorNumber)
            else { throw problem }
            return try runAsGuest()
        }
    }

    /// For users who can write only in the favorites folder, and beside another command. The service or the next sync
    /// enters the changes.
    private func runAsGuest(besideOther: Bool = false) throws -> ExitStatus {
        guard let catalog = try settings.catalogToRead() else { return try nothingMirrored(in: settings) }
        var (status, isChanged) = (ExitStatus.incomplete, false)
        do {
            let editor = try FavoritesEditor(
                root: settings.root, catalog: catalog, favorites: settings.favoritesToRead())
            status = try act(by: editor, &isChanged)
        } catch {
            Terminal.complain("\(error)" + (advice(after: error.problem).map { "; \($0)" } ?? ""))
        }
        if isChanged, !isWatched {
            Terminal.complain(
                besideOther
                    ? "it counts after the next `apod-mirror sync`, or when the service runs: another command is at work here now"
                    : "it counts when the service runs; \(Keeping(settings.root).start)")
        }
        return status
    }

    private func advice(after error: Problem) -> String? {
        let (root, keeping) = (settings.root, Keeping(settings.root))
        let owner = FileOwner(of: Tree.favoritesPath(in: root)) ?? keeping.owner
        if error.errorNumber == EACCES, let joining = Remedy.joining(owner) { return joining }
        // A missing favorites folder is made by the keeper alone.
        return error.isMissing
            ? "\(keeping.start), then run the same command again" : Remedy(keeping).of(error)
    }

    /// Whether a service notes changes in the folder at once.
    private var isWatched: Bool {
        // A service that cannot be asked is assumed to watch.
        settings.service.map { !$0.isWaiting && $0.watching != .lost }
            ?? (Archive.announcement(root: settings.root) != nil)
    }

    /// `isChanged`: set if links were made or deleted, even if an error follows.
    private func act(by editor: FavoritesEditor, _ isChanged: inout Bool) throws -> ExitStatus {
        var report = JobReport(of: .favorites(order), in: settings.root, asJSON: jobs.asJSON)
        // Also after an error: the JSON array needs its end.
        defer { report.end() }
        _ = try order.run(by: editor, lists: settings.lists) { event in
            if case .changed = event { isChanged = true }
            report.enter(event)
        }
        return report.status
    }
}
