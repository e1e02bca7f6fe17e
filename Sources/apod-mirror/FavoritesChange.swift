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
    private let asJSON: Bool
    private let settings: Settings

    init(_ action: FavoritesCommand.Action, _ days: Set<Day>, asJSON: Bool, _ settings: Settings) {
        self.action = action
        self.days = days
        self.asJSON = asJSON
        self.settings = settings
    }

    func run() throws(ArchiveError) -> ExitStatus {
        let session: Session
        do throws(ArchiveError) {
            session = try Session.begin(settings)
        } catch {
            switch error {
            case .inUse: return try runBeside()
            case .disk(let refusal) where refusal.isRefusal: return try runAsGuest(refusal)
            default: throw error
            }
        }
        let reconciler = session.reconciler(rest: .zero)
        // What happened before is one thing, what happens now another.
        try reconciler.note(.everywhere)
        let status = try act(in: session.archive.catalog) { days throws(ArchiveError) in
            try reconciler.forget(days)
        }
        try reconciler.note(.everywhere)
        _ = try reconciler.settle()
        return status
    }

    private func runBeside() throws(ArchiveError) -> ExitStatus {
        guard let catalog = try Archive.catalogBeside(root: settings.root, state: settings.state) else { return .done }
        let tree = try ArchiveError.wrapping { () throws(DiskError) in try Tree(settings.root) }
        let status = try act(in: catalog) { days throws(ArchiveError) in
            try ArchiveError.wrapping { () throws(CatalogError) in try catalog.forget(days, at: time(nil)) }
        }
        try FavoritesList(tree: tree, catalog: catalog).write()
        return status
    }

    /// For whoever may write in the favorites folder alone. What is done there is noted by those who may do that.
    private func runAsGuest(_ refusal: DiskError) throws(ArchiveError) -> ExitStatus {
        guard action != .forget else {
            Terminal.complain("\(refusal); \(owner) can make the mirror forget")
            return .incomplete
        }
        guard let catalog = try Archive.catalogToRead(root: settings.root, state: settings.state) else { return .done }
        return try act(in: catalog) { _ throws(ArchiveError) in [] }
    }

    private var owner: String {
        var facts = stat()
        guard stat("\(settings.root)/\(Tree.ownFolder)", &facts) == 0 else { return "its owner" }
        return getpwuid(facts.st_uid).map { Text.shown(String(cString: $0.pointee.pw_name)) } ?? "user \(facts.st_uid)"
    }

    private func act(
        in catalog: Catalog, forget: (Set<Day>?) throws(ArchiveError) -> Set<Day>
    ) throws(ArchiveError) -> ExitStatus {
        let hand = try Hand(root: settings.root, catalog: catalog)
        var account = FavoritesAccount(asJSON: asJSON)
        // What was done is told, even if not all of it could be.
        defer { account.end() }
        switch action {
        case .add: try add(by: hand, &account)
        case .remove: try remove(by: hand, &account)
        case .restore: try restore(by: hand, &account)
        case .forget: try self.forget(by: hand, &account, forget)
        case .list, .history: break
        }
        return account.status
    }

    private func add(by hand: Hand, _ account: inout FavoritesAccount) throws(ArchiveError) {
        if hand.folderIsMissing, hand.hasFavorites {
            account.warn("the folder \(Tree.favorites) was missing; a new one is made, without the links of the others")
        }
        for day in days.sorted() {
            guard let place = try hand.add(day) else {
                account.say("\(day) is a favorite already")
                continue
            }
            account.enter(.made, day, place)
            if !hand.isHere(day) { account.say("\(day) is not here; `apod-mirror run` or the next sync asks for it") }
        }
    }

    private func remove(by hand: Hand, _ account: inout FavoritesAccount) throws(ArchiveError) {
        for day in days.sorted() {
            let places = try hand.remove(day)
            for place in places { account.enter(.removed, day, place) }
            guard places.isEmpty else { continue }
            let advice = hand.hasVanished(day) ? "; `apod-mirror favorites forget \(day)` confirms that" : ""
            account.complain("\(day) has no link in \(Tree.favorites)\(advice)")
        }
    }

    private func restore(by hand: Hand, _ account: inout FavoritesAccount) throws(ArchiveError) {
        let wanted = days.isEmpty ? hand.incomplete : days.sorted()
        if wanted.isEmpty { account.say("no link has vanished") }
        for day in wanted {
            let places = try hand.restore(day)
            for place in places { account.enter(.made, day, place) }
            guard places.isEmpty else { continue }
            if hand.isFavorite(day) {
                account.say("\(day) has its links")
            } else {
                account.complain("\(day) never was a favorite")
            }
        }
    }

    private func forget(
        by hand: Hand, _ account: inout FavoritesAccount, _ forget: (Set<Day>?) throws(ArchiveError) -> Set<Day>
    ) throws(ArchiveError) {
        let forgotten = try forget(days.isEmpty ? nil : days)
        for day in forgotten.sorted() { account.enter(.forgotten, day) }
        if hand.folderIsMissing {
            let advice = "`apod-mirror favorites restore` makes it again with its links"
            account.complain("the folder \(Tree.favorites) is missing; \(advice)")
        } else if forgotten.isEmpty {
            account.say("no link has vanished")
        }
    }
}
