import Apod
import Archive
import Catalog
import Configuration
import Control
import Daemon
import Favorites
import Files
import Glibc
import Syncing

/// Those of `apod-mirror favorites` that change something. A running service does it; without one, this does, or as
/// much of it as whoever asks may do.
struct FavoritesChange {
    private let order: FavoritesOrder
    private let asJSON: Bool
    private let settings: Settings

    init(_ order: FavoritesOrder, asJSON: Bool, _ settings: Settings) {
        self.order = order
        self.asJSON = asJSON
        self.settings = settings
    }

    func run() throws(ArchiveError) -> ExitStatus {
        // Who may not ask does what they may do in the folder.
        if let service = try? ControlClient.reach(root: settings.root), let status = ask(service) { return status }
        do throws(ArchiveError) {
            return try runAlone(try OpenMirror.begin(settings))
        } catch {
            switch error {
            case .inUse: return try runBeside()
            case .disk(let refusal) where refusal.isRefusal: return try runAsGuest()
            case .foreign: return try runAsGuest()
            default: throw error
            }
        }
    }

    /// nil if whoever asks may not.
    private func ask(_ service: ControlClient) -> ExitStatus? {
        var printer = MessagePrinter(asJSON: asJSON)
        do throws(ControlError) {
            try service.ask(.favorites(order)) { answer in
                if case .message(let message) = answer { printer.enter(message) }
            }
        } catch {
            if case .refused = error { return nil }
            printer.complain("\(error)")
        }
        printer.end()
        return printer.status
    }

    private func runAlone(_ mirror: OpenMirror) throws(ArchiveError) -> ExitStatus {
        let reconciler = mirror.reconciler(settleDelay: .zero)
        var status = ExitStatus.done
        try reconciler.carryOut { () throws(ArchiveError) in
            status = try act(by: editor(mirror.archive.catalog)) { days throws(ArchiveError) in
                try reconciler.forget(days)
            } restored: {
                reconciler.take(restored: $0)
            } removing: {
                reconciler.take(ordered: $0)
            }
        }
        _ = try reconciler.settle()
        // What the gallery cannot be told now, the next sync tells it.
        try? MirrorGallery(mirror).updateFavorites()
        return status
    }

    /// While a `sync` works here without a service. The next one takes note of the links that are made.
    private func runBeside() throws(ArchiveError) -> ExitStatus {
        guard let catalog = try Archive.catalogBeside(root: settings.root, state: settings.state) else { return .done }
        let tree = try ArchiveError.wrapping { () throws(DiskError) in try Tree(settings.root) }
        let editor = try editor(catalog)
        var removals = OrderedRemovals(editor) { time(nil) }
        let result = Result { () throws(ArchiveError) in
            try act(by: editor) { days throws(ArchiveError) in
                try ArchiveError.wrapping { () throws(CatalogError) in try catalog.forget(days, at: time(nil)) }
            } removing: {
                removals.take($0)
            }
        }
        // What was done before it failed was asked for, too.
        try removals.tell()
        try FavoritesFile(tree: tree, catalog: catalog, clock: { time(nil) }).write()
        return try result.get()
    }

    /// For whoever may write in the favorites folder alone. What is done there is noted by those who may do that.
    private func runAsGuest() throws(ArchiveError) -> ExitStatus {
        guard order.action != .forget else {
            Terminal.complain("only \(owner) may make the mirror forget, or the service, if it runs and you may ask it")
            return .incomplete
        }
        guard let catalog = try Archive.catalogToRead(root: settings.root, state: settings.state) else { return .done }
        let status = try act(by: editor(catalog)) { _ throws(ArchiveError) in [] }
        if status == .done, !Archive.isInUse(root: settings.root) {
            Terminal.complain("\(owner) takes note of it with the next sync, or when the service runs")
        }
        return status
    }

    private var owner: String { FileOwner(of: "\(settings.root)/\(Tree.ownFolder)")?.name ?? "its owner" }

    private func editor(_ catalog: Catalog) throws(ArchiveError) -> FavoritesEditor {
        try FavoritesEditor(root: settings.root, catalog: catalog)
    }

    private func act(
        by editor: FavoritesEditor, forget: FavoritesOrder.Forgetting, restored: FavoritesOrder.Restoring = { _ in },
        removing: FavoritesOrder.Removing = { _ in }
    ) throws(ArchiveError) -> ExitStatus {
        var printer = MessagePrinter(asJSON: asJSON)
        // What was done is told, even if not all of it could be.
        defer { printer.end() }
        try order.carryOut(
            by: editor, today: Day(utc: time(nil)), { printer.enter($0) }, forget: forget, restored: restored,
            removing: removing)
        return printer.status
    }
}
