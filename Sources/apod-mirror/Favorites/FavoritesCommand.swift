import Apod
import Configuration
import Favorites
import Files
import Glibc
import Service
import Store
import Syncing

/// `apod-mirror favorites`
struct FavoritesCommand {
    static let command = Command(
        name: "favorites", words: "[COMMAND]", summary: "list the favorites; add, remove and restore them",
        explanation: """
            A DATE is like 2026-11-20, or `latest` for the newest picture. `add` and
            `restore` also take the path of one of the day's files or of a link to one. Name
            a picture of another list by its path, also for `remove`. A TIME is 2026-11-20
            or "2026-11-20 14:30" in local time, 2026-11-20T14:30:00Z, or how long ago: 2h,
            30m or 3d.
            """,
        actions: FavoritesAction.allCases.map(\.described),
        options: [
            Command.Option("album", "add: into this folder in `favorites`", taking: "NAME"),
            Command.Option("since", "restore: all links deleted since then", taking: "TIME"), .paths, .json,
        ],
        toleratesMistakes: true
    ) { try await FavoritesCommand($0, $1).run() }

    private let action: FavoritesAction
    private let keys: Set<Key>
    private let since: Int?
    private let album: AlbumName?
    /// Whether `latest` was given and there is none.
    private let lacksLatest: Bool
    private let listing: DayListing
    private let jobs: JobCommand

    private var settings: Settings { jobs.settings }

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        jobs = JobCommand(usage, configuration)
        listing = try usage.listing ?? .titles
        action = try Self.action(usage.words.first ?? "list")
        let asked = usage.words.dropFirst()
        var named: [Key?] = []
        for word in asked { named.append(try Self.key(word, for: action, in: configuration.settings.root)) }
        (keys, lacksLatest) = (Set(named.compactMap(\.self)), named.contains(nil))
        switch action {
        case .list, .history: if !asked.isEmpty { throw Usage.Mistake("favorites \(action) takes no dates") }
        case .add, .remove: if asked.isEmpty { throw Usage.Mistake("favorites \(action) of which day?") }
        case .restore: break
        }
        since = try usage["since"].map(PastTime.seconds)
        if since != nil, !asked.isEmpty { throw Usage.Mistake("favorites restore takes dates or --since, not both") }
        album = try usage["album"].map { text throws(Usage.Mistake) in
            if let album = AlbumName(text) { return album }
            throw Usage.Mistake("an album cannot be called “\(Text.shown(text, atMost: 60))”")
        }
    }

    private static func action(_ word: String) throws(Usage.Mistake) -> FavoritesAction {
        if let action = FavoritesAction(rawValue: word) { return action }
        if Day(word) != nil {
            throw Usage.Mistake(
                "favorites “\(word)” does not say what to do; did you mean `apod-mirror favorites add \(word)`?")
        }
        throw Usage.unknown("favorites command", word, among: FavoritesAction.allCases.map(\.rawValue))
    }

    /// What a word names; nil for `latest` while there is no picture. `remove` deletes all links to a key, so it takes
    /// no path that may be meant for a single one.
    private static func key(
        _ word: String, for action: FavoritesAction, in root: String
    ) throws(Usage.Mistake) -> Key? {
        if word == "latest" { return (try? Document.latest(root: root)).map(Key.day) }
        if action != .remove { return try DayFinder.key(of: word) }
        if let item = Key(itemOfFile: word.bytes) { return item }
        return .day(try Usage.day(word, advice: "give a date like 2026-11-20; delete a single link in the folder"))
    }

    func run() async throws -> ExitStatus {
        guard settings.hasCatalog else {
            try Archive.checkVisible(root: settings.root, state: settings.state)
            guard jobs.asJSON, action == .list else { return try nothingMirrored(in: settings) }
            Terminal.print(FavoritesExport.json([]))
            return .done
        }
        if lacksLatest {
            let advice = Keeping(settings.root).fetching
            Terminal.complain("there is no picture in \(Text.shown(settings.root)) yet; \(advice)")
            return .incomplete
        }
        guard let change = FavoritesOrder.Action(rawValue: action.rawValue) else { return try read() }
        let order = FavoritesOrder(change, keys, since: since, album: album)
        return try await FavoritesChange(order, jobs).run()
    }

    /// `list` and `history`.
    private func read() throws -> ExitStatus {
        guard let catalog = try settings.catalogToRead() else { return try nothingMirrored(in: settings) }
        if action == .list { try list(catalog, settings.favoritesToRead()) } else { try history() }
        return .done
    }

    private func list(_ catalog: Catalog, _ log: FavoritesLog) throws {
        let favorites = try log.favorites(catalog)
        if jobs.asJSON { return Terminal.print(FavoritesExport.json(favorites)) }
        if listing == .paths { return listPaths(favorites) }
        let pending = try pending(catalog, log.known.keys)
        for favorite in favorites {
            // A favorite without an album is at the top of the folder.
            let word = favorite.links.contains { $0.album == .top } ? "also in" : "in"
            let names = Text.shown(favorite.albums.joined(separator: ", "))
            let albums = names.isEmpty ? "" : "  (\(word) \(names))"
            let key = favorite.key
            let words = favorite.title ?? pending[key]?.words ?? "still to be fetched"
            // Without its title, an item is called as its files are.
            let front = favorite.title == nil ? "\(key)" : key.list?.description ?? "\(key)"
            Terminal.print("\(Text.shown(front))  \(Text.shown(words))\(albums)")
        }
        if let lack = log.lack(in: settings.root) {
            Terminal.complain(lack.told(in: settings.root))
        } else if favorites.isEmpty {
            let past =
                try FavoritesLog.lines(in: Folder.open(settings.root)).isEmpty
                ? "" : "; `apod-mirror favorites history` tells of those that there were"
            Terminal.complain("no favorites: drop a link to a picture into \(folder)\(past)")
        }
    }

    private func pending(_ catalog: Catalog, _ favorites: Set<Key>) throws -> [Key: PendingFavorite] {
        let today = NewYork.day(at: time(nil))
        let pending = try catalog.pending(among: favorites)
        return Dictionary(pending.map { ($0.key, PendingFavorite($0, today: today)) }) { $1 }
    }

    private func listPaths(_ favorites: [Favorite]) {
        let paths = favorites.compactMap(\.picture)
        for path in paths { Terminal.print(path: "\(settings.root)/\(path)") }
        let others = favorites.count - paths.count
        if others > 0 { Terminal.complain("\(others) without files; `apod-mirror favorites` says why") }
    }

    private var folder: String { Text.shown(Tree.favoritesPath(in: settings.root)) }

    /// Newest first.
    private func history() throws {
        let lines = try FavoritesLog.lines(in: Folder.open(settings.root))
        if jobs.asJSON { return Terminal.print(.array(lines.reversed().map(\.json))) }
        if lines.isEmpty { Terminal.complain("no favorite was ever added here, so there is no history") }
        for line in lines.asDone.reversed() {
            let notes = [
                line.isLink ? nil : "a file", line.from.map { "from \(Text.shown("\($0)"))" },
                line.was.map { "it said \(Text.shown($0))" },
            ].compactMap { note in note.map { "  (\($0))" } }.joined()
            let change = "\(line.change)" + String(repeating: " ", count: max(0, 8 - line.change.rawValue.utf8.count))
            Terminal.print(
                "\(Time.local(line.moment))  \(change)  \(Text.shown("\(line.link.key)"))  \(Text.shown("\(line.link.place)"))\(notes)"
            )
        }
    }
}

extension [HistoryLine] {
    /// What people did, each once: without what the mirror then made of their links.
    fileprivate var asDone: [HistoryLine] {
        var (done, places) = ([HistoryLine](), [Place: Int]())
        for line in self {
            let place = line.link.place
            if line.change == .came, let index = places[place], done[index].link.key == line.link.key {
                // The mirror has made a link of a copy, or found the picture that was asked for.
                continue
            }
            if line.change == .moved, let from = line.from, let index = places.removeValue(forKey: from),
                done[index].change == .came, from.name.text == "\(line.link.key)", from.album == place.album
            {
                // The link that asked for a day is called as its picture.
                done[index].link = line.link
                places[place] = index
                continue
            }
            places[place] = line.change == .went ? nil : done.count
            done.append(line)
        }
        return done
    }
}

private enum FavoritesAction: String, CaseIterable {
    case list, add, remove, restore, history

    var described: Command.Subcommand {
        let (usage, summary, options) =
            switch self {
            case .list: ("[list] [--paths | --json]", "the favorites", ["paths", "json"])
            case .add:
                (
                    "add DATE… [--album NAME] [--json]",
                    "make a link in `favorites`; a day that is not here is fetched", ["album", "json"]
                )
            case .remove: ("remove DATE… [--json]", "delete all links to a day", ["json"])
            case .restore:
                (
                    "restore [DATE… | --since TIME] [--json]",
                    "make deleted links again: of the lost folder, of some days, or since a time",
                    ["since", "json"]
                )
            case .history: ("history [--json]", "each link that came, went or moved", ["json"])
            }
        return Command.Subcommand(name: rawValue, usage: usage, summary: summary, options: options)
    }
}
