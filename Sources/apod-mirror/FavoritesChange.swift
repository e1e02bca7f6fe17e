import Apod
import Archive
import Catalog
import Configuration
import Control
import Favorites
import Files
import Glibc
import Syncing
import Watching

/// Those of `apod-mirror favorites` that change something. A running service does it; without one, this does, or as
/// much of it as whoever asks may do.
struct FavoritesChange {
    private let order: FavoritesOrder
    private let asJSON: Bool
    private let jobs: JobCommand

    private var settings: Settings { jobs.settings }

    init(_ order: FavoritesOrder, _ jobs: JobCommand, asJSON: Bool) {
        self.order = order
        self.asJSON = asJSON
        self.jobs = jobs
    }

    func run() async throws -> ExitStatus {
        // Who may not ask does what they may do in the folder.
        if let service = try? ControlClient.reach(root: settings.root) {
            do { return try await jobs.run(.favorites(order), by: service) } catch let error as ControlError {
                guard case .refused = error else { throw error }
                if order.action == .forget { throw error }
            }
        }
        let mirror: OpenMirror
        do throws(ArchiveError) {
            mirror = try OpenMirror.begin(settings)
        } catch {
            switch error {
            case .inUse: return try runBeside()
            case .storage(let refusal) where refusal.isRefusal: return try runAsGuest()
            case .foreign, .closed, .refused: return try runAsGuest()
            default: throw error
            }
        }
        return try await jobs.run(.favorites(order), on: mirror)
    }

    /// While a `sync` works here without a service. It has looked at the folder already.
    private func runBeside() throws -> ExitStatus {
        guard let catalog = try Archive.catalogBeside(root: settings.root, state: settings.state) else { return .done }
        let tree = try Tree(settings.root)
        let editor = try editor(catalog)
        var removals = OrderedRemovals(editor) { time(nil) }
        var changes: Set<Message.Change> = []
        let result = Result { () throws(StorageError) in
            try act(by: editor, &changes) { days throws(StorageError) in
                try catalog.forget(days, at: time(nil))
            } removing: {
                removals.take($0)
            }
        }
        // What was done before it failed was asked for, too.
        try removals.tell()
        try FavoritesFile(tree: tree, catalog: catalog, clock: { time(nil) }).write()
        let status = try result.get()
        if changes.contains(.made), !isWatched(by: catalog) {
            Terminal.complain(
                "it counts after the next `apod-mirror sync`, or when the service runs: another command is at work here now"
            )
        }
        return status
    }

    /// For whoever may write in the favorites folder alone. What is done there is noted by those who may do that.
    private func runAsGuest() throws -> ExitStatus {
        guard order.action != .forget else {
            Terminal.complain(
                """
                only the service and \(owner) can forget favorites here, and no service runs; \
                \(ServiceAdvice(settings.root).start), or \(owner) runs `apod-mirror \(words)`
                """)
            return .incomplete
        }
        guard let catalog = try Archive.catalogToRead(root: settings.root, state: settings.state) else { return .done }
        var (status, changes) = (ExitStatus.incomplete, Set<Message.Change>())
        do throws(StorageError) {
            status = try act(by: editor(catalog), &changes, forget: { _ throws(StorageError) in [] })
        } catch {
            let advice = error.isRefusal ? FileOwner(of: "\(settings.root)/\(Tree.favorites)")?.adviceToJoin : nil
            Terminal.complain("\(error)\(advice ?? "")")
        }
        if !changes.isEmpty, !isWatched(by: catalog) {
            Terminal.complain("it counts when the service runs; \(ServiceAdvice(settings.root).start)")
        }
        return status
    }

    /// A service takes note of all that happens in the folder at once; other commands do not.
    private func isWatched(by catalog: Catalog) -> Bool {
        guard Archive.isInUse(root: settings.root), let watching = try? catalog.remark(.watching) else { return false }
        return !WatchState.isLost(watching)
    }

    /// That ask for the same again.
    private var words: String {
        (["favorites", order.action.rawValue] + order.days.sorted().map(\.description)).joined(separator: " ")
    }

    private var owner: String { FileOwner(of: "\(settings.root)/\(Tree.ownFolder)")?.name ?? "its owner" }

    private func editor(_ catalog: Catalog) throws(StorageError) -> FavoritesEditor {
        try FavoritesEditor(root: settings.root, catalog: catalog)
    }

    /// `changes`: what kinds of them it has made, even if it ends with an error.
    private func act(
        by editor: FavoritesEditor, _ changes: inout Set<Message.Change>, forget: FavoritesOrder.Forgetting,
        removing: FavoritesOrder.Removing = { _ in }
    ) throws(StorageError) -> ExitStatus {
        var report = JobReport(of: .favorites(order), in: settings.root, asJSON: asJSON)
        // What was done is told, even if not all of it could be.
        defer { report.end() }
        try order.run(
            by: editor, today: NewYork.day(at: time(nil)),
            { message in
                if case .changed(let change, _, _) = message { changes.insert(change) }
                report.enter(message)
            }, forget: forget, removing: removing)
        return report.status
    }
}
