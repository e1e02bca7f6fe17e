import Apod
import Archive
import Favorites
import Files
import Glibc
import Service

/// Those of `apod-mirror favorites` that change something. They work in the folder; a running mirror takes note of it,
/// and without one, this does.
struct FavoritesChange {
    private let action: FavoritesCommand.Action
    private let days: Set<Day>
    private let settings: Settings

    init(_ action: FavoritesCommand.Action, _ days: Set<Day>, _ settings: Settings) {
        self.action = action
        self.days = days
        self.settings = settings
    }

    func run() throws(ArchiveError) -> ExitStatus {
        do throws(ArchiveError) {
            let session = try Session.begin(settings)
            let reconciler = session.reconciler(rest: .zero)
            // What happened before is one thing, what happens now another.
            try reconciler.note(.everywhere)
            let status = try act(in: session.archive.catalog) { days throws(ArchiveError) in
                try reconciler.forget(days)
            }
            try reconciler.note(.everywhere)
            _ = try reconciler.settle()
            return status
        } catch {
            guard case .inUse = error else { throw error }
            return try runBeside()
        }
    }

    private func runBeside() throws(ArchiveError) -> ExitStatus {
        guard let catalog = try Archive.catalogBeside(root: settings.root, state: settings.state) else { return .done }
        return try act(in: catalog) { days throws(ArchiveError) in
            let tree = try ArchiveError.wrapping { () throws(DiskError) in try Tree(settings.root) }
            let forgotten = try ArchiveError.wrapping { () throws(CatalogError) in
                try catalog.forget(days, at: time(nil))
            }
            try FavoritesList(tree: tree, catalog: catalog).write()
            return forgotten
        }
    }

    private func act(
        in catalog: Catalog, forget: (Set<Day>?) throws(ArchiveError) -> Set<Day>
    ) throws(ArchiveError) -> ExitStatus {
        let hand = try Hand(root: settings.root, catalog: catalog)
        var status = ExitStatus.done
        func complain(_ words: String) {
            Terminal.complain(words)
            status = .incomplete
        }
        switch action {
        case .add:
            for day in days.sorted() {
                let place = try hand.add(day)
                Terminal.print(place.map { "made \(shown($0))" } ?? "\(day) is a favorite already")
            }
        case .remove:
            for day in days.sorted() {
                let places = try hand.remove(day)
                for place in places { Terminal.print("removed \(shown(place))") }
                if places.isEmpty { complain("\(day) has no link in \(Tree.favorites)") }
            }
        case .restore:
            let wanted = days.isEmpty ? hand.incomplete : days.sorted()
            if wanted.isEmpty { Terminal.print("no link has vanished") }
            for day in wanted {
                let places = try hand.restore(day)
                for place in places { Terminal.print("made \(shown(place))") }
                if places.isEmpty { complain("\(day) has lost no link") }
            }
        case .forget:
            let forgotten = try forget(days.isEmpty ? nil : days)
            for day in forgotten.sorted() { Terminal.print("forgot the vanished links to \(day)") }
            if hand.folderIsMissing {
                complain("the folder \(Tree.favorites) is missing; `favorites restore` makes it again with its links")
            } else if forgotten.isEmpty {
                Terminal.print("no link has vanished")
            }
        case .list, .history: break
        }
        return status
    }

    private func shown(_ place: Place) -> String { Text.clean("\(Tree.favorites)/\(place)") }
}
