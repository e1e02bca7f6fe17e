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

/// `apod-mirror favorites`
struct FavoritesCommand {
    private let action: FavoritesAction
    private let days: Set<Day>
    private let links: Set<Place>
    private let since: Int?
    /// Whether `latest` was given and there is none.
    private let lacksLatest: Bool
    private let listing: Listing
    private let settings: Settings

    init(_ usage: Usage, _ configuration: Configuration) throws(Usage.Mistake) {
        settings = configuration.settings
        listing = try usage.listing ?? .titles
        action = try Usage.favoritesAction(usage.words.first ?? "list")
        if listing == .paths, action != .list { throw Usage.Mistake("favorites \(action) has no option --paths") }
        var (days, links): (Set<Day>, Set<Place>) = ([], [])
        let asked = usage.words.dropFirst()
        var lacksLatest = false
        for word in asked {
            let found = action == .remove ? try Self.links(at: word, in: settings.root) : []
            links.formUnion(found)
            if !found.isEmpty { continue }
            if let day = try Self.day(word, in: settings.root) { days.insert(day) } else { lacksLatest = true }
        }
        (self.days, self.links, self.lacksLatest) = (days, links, lacksLatest)
        switch action {
        case .list, .history: if !asked.isEmpty { throw Usage.Mistake("favorites \(action) takes no dates") }
        case .add, .remove: if asked.isEmpty { throw Usage.Mistake("favorites \(action) of which day?") }
        case .restore: break
        }
        since = try usage["since"].map(PastTime.seconds)
        if since != nil, action != .restore { throw Usage.Mistake("favorites \(action) has no option --since") }
        if since != nil, !asked.isEmpty { throw Usage.Mistake("favorites restore takes dates or --since, not both") }
    }

    private var asJSON: Bool { listing == .json }

    /// The day of a date, a path or `latest`; nil while there is no latest picture.
    private static func day(_ word: String, in root: String) throws(Usage.Mistake) -> Day? {
        let latest = word == "latest" ? try? DayDocument.latest(root: root) : nil
        if let day = LinkTarget(Array(word.utf8)).day ?? LinkTarget(linkAt: word)?.day ?? latest { return day }
        if word == "latest" { return nil }
        if let reason = Day.reason(against: word) { throw Usage.Mistake(reason) }
        throw Usage.Mistake(
            "“\(Text.shown(word, atMost: 60))” is neither a day, like 2026-11-20, nor the path of one of its files or of a link to one"
        )
    }

    /// The links at a path; none for a date, or outside the favorites folder. Throws if nothing is there: a wrong path
    /// must not remove all links to a day.
    private static func links(at path: String, in root: String) throws(Usage.Mistake) -> Set<Place> {
        if Day(path) != nil { return [] }
        var places: Set<Place> = []
        for bytes in arguments(like: path) {
            guard let bytes = found(bytes, in: root) else {
                if path == "latest" { continue }
                if let reason = Day.reason(against: path) { throw Usage.Mistake(reason) }
                let path = Text.shown(path, atMost: 60)
                throw Usage.Mistake("there is nothing at “\(path)”; give a date to remove all links to that day")
            }
            if let place = place(at: bytes, in: root) { places.insert(place) }
        }
        return places
    }

    /// Looks below the current folder, `favorites` (as links are listed) and the root. nil if nothing is there.
    private static func found(_ path: [UInt8], in root: String) -> [UInt8]? {
        if FileSystem.isThere(path) { return path }
        if path.first == UInt8(ascii: "/") || path.elementsEqual("latest".utf8) { return nil }
        let folders = ["\(root)/\(Tree.favorites)/", "\(root)/"].map { Array($0.utf8) }
        return folders.map { $0 + path }.first { FileSystem.isThere($0) && place(at: $0, in: root) != nil }
    }

    /// The arguments that read like the word, in bytes: a String has lost invalid UTF-8.
    private static func arguments(like word: String) -> [[UInt8]] {
        let arguments = (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
        let same = arguments.filter { String(cString: $0).utf8.elementsEqual(word.utf8) }
        if same.isEmpty { return [Array(word.utf8)] }
        return same.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }

    /// nil outside the favorites folder. By bytes: a combining mark can join the slash.
    private static func place(at path: [UInt8], in root: String) -> Place? {
        let slash = UInt8(ascii: "/")
        let end = path.lastIndex(of: slash)
        let parent = end.map { $0 == 0 ? [slash] : path[..<$0] } ?? [UInt8(ascii: ".")]
        guard let favorites = FileSystem.resolved("\(root)/\(Tree.favorites)".utf8),
            let folder = FileSystem.resolved(parent), (folder + [slash]).starts(with: favorites + [slash])
        else { return nil }
        let name = path[(end.map { $0 + 1 } ?? 0)...]
        return Place(path: Array((folder + [slash] + name).dropFirst(favorites.count + 1)))
    }

    func run() async throws(Usage.Mistake) -> ExitStatus {
        do {
            guard Archive.hasCatalog(root: settings.root, state: settings.state) else {
                try Archive.checkVisible(root: settings.root, state: settings.state)
                guard asJSON, action == .list else { return nothingMirrored(in: settings.root) }
                Terminal.print(FavoritesFile.json([]))
                return .done
            }
            if lacksLatest {
                let advice = ServiceAdvice(settings.root).fetching
                Terminal.complain("there is no picture in \(Text.shown(settings.root)) yet; \(advice)")
                return .incomplete
            }
            if let change = FavoritesOrder.Action(rawValue: action.rawValue) {
                let order = FavoritesOrder(change, days, links: links, since: since)
                let jobs = JobCommand(settings, asJSON: asJSON)
                return try await FavoritesChange(order, jobs).run()
            }
        } catch let mistake as Usage.Mistake {
            throw mistake
        } catch {
            Terminal.complain(error, in: settings)
            return .incomplete
        }
        return read()
    }

    /// `list` and `history`.
    private func read() -> ExitStatus {
        do {
            guard let catalog = try Archive.catalogToRead(root: settings.root, state: settings.state) else {
                return nothingMirrored(in: settings.root)
            }
            if action == .list { try list(catalog) } else { try history(catalog) }
            return .done
        } catch {
            Terminal.complain(error, in: settings)
            return .incomplete
        }
    }

    private func list(_ catalog: Catalog) throws(StorageError) {
        let favorites = try catalog.favorites()
        if asJSON { return Terminal.print(FavoritesFile.json(favorites)) }
        if listing == .paths { return listPaths(favorites) }
        let pending = try pending(catalog)
        let lack = try lack(catalog)
        let unnoted = lack == nil ? try unnoted(catalog, comparing: true) : nil
        for favorite in favorites {
            // A favorite without an album is at the top of the folder.
            let word = favorite.links.contains { $0.album == .top } ? "also in" : "in"
            let names = Text.shown(favorite.albums.joined(separator: ", "))
            let albums = names.isEmpty ? "" : "  (\(word) \(names))"
            let linkNote = unnoted?.gone.contains(favorite.day) == true ? "  (its link is gone)" : ""
            let words = favorite.title ?? pending[favorite.day]?.words ?? "still to be fetched"
            Terminal.print("\(favorite.day)  \(Text.shown(words))\(albums)\(linkNote)")
        }
        if let lack {
            Terminal.complain(lack.words(in: settings.root, hasFavorites: !favorites.isEmpty))
        } else if let unnoted, !unnoted.new.isEmpty || !unnoted.gone.isEmpty {
            tell(ofNew: unnoted.new)
            tell(ofGone: unnoted.gone, "still in the list")
        } else if favorites.isEmpty {
            Terminal.complain("no favorites: drop a link to a picture into \(folder)\(try past())")
        }
    }

    private func pending(_ catalog: Catalog) throws(StorageError) -> [Day: PendingFavorite] {
        let today = NewYork.day(at: time(nil))
        let pending = try catalog.pendingFavorites(atMost: .max)
        return Dictionary(pending.map { ($0.day, PendingFavorite($0.day, $0.state, $0.failure, today: today)) }) { $1 }
    }

    private func lack(_ catalog: Catalog) throws(StorageError) -> FavoritesLack? {
        guard let root = try? Folder.open(settings.root) else { return nil }
        return try catalog.favoritesLack(in: root)
    }

    /// Days of links that came or went and are not entered yet; nil while the mirror is open for writing.
    private func unnoted(
        _ catalog: Catalog, comparing: Bool = false
    ) throws(StorageError) -> (new: Set<Day>, gone: Set<Day>)? {
        guard !Archive.isInUse(root: settings.root), let root = try? Folder.open(settings.root) else { return nil }
        return try FavoritesSnapshot.changes(at: root, catalog, comparing: comparing)
    }

    private func tell(ofNew new: Set<Day>) {
        if new.isEmpty { return }
        Terminal.complain("new in \(folder), and not in the list yet: \(Self.list(new)); \(noting("enters them"))")
    }

    /// `however`: what is not up to date yet.
    private func tell(ofGone gone: Set<Day>, _ however: String) {
        if gone.isEmpty { return }
        Terminal.complain("gone from \(folder), and \(however): \(Self.list(gone)); \(noting("takes note of it"))")
    }

    private static func list(_ days: Set<Day>) -> String {
        Day.names(days.sorted(), atMost: 10)
    }

    private func noting(_ what: String) -> String { ServiceAdvice(settings.root).noting(what) }

    private func listPaths(_ favorites: [Favorite]) {
        let paths = favorites.compactMap(\.picture)
        for path in paths { Terminal.print(path: "\(settings.root)/\(path)") }
        let others = favorites.count - paths.count
        if others > 0 { Terminal.complain("\(others) without files; `apod-mirror favorites` says why") }
    }

    private func past() throws(StorageError) -> String {
        try entries().isEmpty ? "" : "; `apod-mirror favorites history` tells of those that there were"
    }

    private func entries() throws(StorageError) -> [HistoryEntry] {
        try FavoritesHistory.entries(in: try Folder.open(settings.root))
    }

    private var folder: String { Text.shown("\(settings.root)/\(Tree.favorites)") }

    /// Newest first.
    private func history(_ catalog: Catalog) throws(StorageError) {
        let entries = try entries().reversed()
        if asJSON { return Terminal.print(.array(entries.map(FavoritesHistory.json))) }
        if entries.isEmpty { Terminal.complain("no favorite was ever added here, so there is no history") }
        for entry in entries {
            let link = entry.link.map { "  " + Text.shown($0) } ?? ""
            let was = entry.was.map { "  (was \(Text.shown($0)))" } ?? ""
            let gap = String(repeating: " ", count: max(0, 9 - entry.kind.rawValue.utf8.count))
            Terminal.print("\(Time.local(entry.moment))  \(entry.kind)\(gap)  \(entry.day)\(link)\(was)")
        }
        if try lack(catalog) == nil, let unnoted = try unnoted(catalog) {
            tell(ofGone: unnoted.gone, "not in the history yet")
        }
    }
}
