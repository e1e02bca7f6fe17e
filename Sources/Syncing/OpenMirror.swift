package import Apod
package import Configuration
package import Favorites
package import Fetching
package import Files
import Glibc
package import Store
import Synchronization
import Upstream

/// The mirror opened for writing, with all that a refresh needs.
package final class OpenMirror: Sendable {
    package let archive: Archive
    package let settings: Settings
    private let made = Mutex(Made())
    private let newFetcher: @Sendable (Settings) -> Fetcher
    private let cooldowns: HostCooldowns
    private let now: @Sendable () -> Int
    /// Held by a `ListRound`: two at once would give the same items names.
    let listQueue = AsyncSemaphore(1)
    /// The mirror is new, and another one is known.
    private let isSecond: Bool

    /// `since`: the first day that a new mirror remembers; nil: the usual one. `fetching`: how it pauses and retries; nil: as
    /// usual.
    package init(
        _ settings: Settings, since: Day? = nil, version: String, environment: [String: String], time: any WallClock,
        fetching: FetchSettings? = nil
    ) throws {
        self.settings = settings
        now = { time.now }
        var fetching = fetching ?? FetchSettings()
        fetching.apply(settings, version)
        cooldowns = fetching.cooldowns
        newFetcher = { [fetching] given in
            var fetching = fetching
            if given.network != settings.network { fetching.apply(given, version) }
            return Fetcher(fetching, upstream: given.upstream)
        }
        let roots = KnownRoots(environment: environment)
        if roots.haveLost(settings.root) { throw Problem(.away, path: settings.root) }
        try Self.refuseGuest(settings.root)
        archive = try Archive(root: settings.root, state: settings.state) { record, name in
            guard let item = name.key.item else { return try? Picture(record: record) }
            return Picture(record: record, as: item, of: settings.list(item.list))
        }
        isSecond = archive.foundDays == 0 && !roots.others(than: settings.root).isEmpty
        roots.remember(settings.root)
        try archive.tidy()
        if try archive.catalog.newest() == nil { archive.noteRule(settings.rule(), of: nil) }
        // Even a first run for named days chooses this first day.
        _ = try archive.firstDay(orChoose: since ?? today.advanced(by: -Settings.daysAtFirst))
    }

    /// Keeps root out of another user's mirror: that user could not change root's files.
    private static func refuseGuest(_ root: String) throws {
        guard geteuid() == 0, let owner = FileOwner(of: Tree.ownPath(in: root)), owner.user != 0 else { return }
        throw Problem(.foreign, owner.name, path: root)
    }

    /// `order`: what a person asks for; nil for the service's own refreshes.
    package func refresh(for order: SyncOrder? = nil) -> Refresh {
        let settings = order?.applied(to: settings) ?? settings
        let fetcher = fetcher(for: settings)
        var refresh = Refresh(
            archive: archive, upstream: APODBasic(settings.upstream, fetcher: fetcher), fetcher: fetcher,
            settings: settings, now: now)
        refresh.isAsked = order != nil
        return refresh
    }

    /// A refresh of single items of another list. Its server may be on a private network, as the upstream may.
    func refresh(of list: PictureList, by settings: Settings) -> Refresh {
        let fetcher = listFetcher(list.address, settings)
        return Refresh(
            archive: archive, upstream: APODBasic(list.address, fetcher: fetcher), fetcher: fetcher, settings: settings,
            now: now)
    }

    private func listFetcher(_ address: WebAddress, _ settings: Settings) -> Fetcher {
        var settings = settings
        // Mirrors have days alone under NASA's addresses.
        (settings.upstream, settings.neighbours) = (address, [])
        let fetcher = newFetcher(settings)
        made.withLock { $0.ofList = fetcher }
        return fetcher
    }

    /// Ends pauses that no host asked for, as a person asks.
    package func forgive() { cooldowns.forgive() }

    /// The fetcher is weak: a service that only waits needs none.
    private struct Made {
        weak var fetcher: Fetcher?
        weak var ofList: Fetcher?
        var network: [String] = []
    }

    private func fetcher(for settings: Settings) -> Fetcher {
        made.withLock { made in
            if let fetcher = made.fetcher, made.network == settings.network { return fetcher }
            let fetcher = newFetcher(settings)
            (made.fetcher, made.network) = (fetcher, settings.network)
            return fetcher
        }
    }

    package func favoritesService(_ report: @escaping EventHandler) -> FavoritesService {
        FavoritesService(archive, clock: now, report: report)
    }

    /// The bytes of files that the present fetcher has received; 0 without one.
    package var received: Int { made.withLock { ($0.fetcher?.received ?? 0) + ($0.ofList?.received ?? 0) } }

    /// Why a question is being repeated; nil while none is.
    package var delay: Problem? { made.withLock { $0.fetcher?.problem ?? $0.ofList?.problem } }

    /// Whether somebody waits for an answer from the network.
    package var isAsking: Bool {
        made.withLock { ($0.fetcher?.isAsking ?? false) || ($0.ofList?.isAsking ?? false) }
    }

    /// Changes with all that comes from the network; while it stays, what asks is stalled.
    package var signs: Int { made.withLock { ($0.fetcher?.signs ?? 0) + ($0.ofList?.signs ?? 0) } }

    /// Says that a new catalog was made, or that a second mirror was begun, which may be a mistake.
    package var news: [String] {
        let found = archive.foundDays.flatMap { $0 > 0 ? $0 : nil }
        let remade = found.map { "made a new catalog from the \(Day.count($0)) in \(Text.shown(settings.root))" }
        return [remade, beginning].compactMap(\.self)
    }

    private var beginning: String? { isSecond ? "began a new mirror in \(Text.shown(settings.root))" : nil }

    /// Seconds since 1970.
    package var moment: Int { now() }

    /// The newest day that can have been published.
    package var today: Day { NewYork.day(at: now()) }

    /// The favorites to ask for at the moment; none of an upstream or a list that wants to be left alone.
    package func dueFavorites() throws -> Set<Key> {
        let (catalog, now) = (archive.catalog, now())
        let isQuiet = try catalog.quiet(at: now) != nil
        let days = isQuiet ? [] : try catalog.due(among: archive.favorites.known.days, at: now)
        var due = Set(days.map(Key.day))
        for list in settings.lists where try catalog.quiet(at: now, of: list.name) == nil {
            due.formUnion(try archive.deletedFavorites(of: list.name, at: now))
        }
        return due
    }

    /// The days to mirror; days that are asked for by name are fetched all the same.
    package var range: MirrorRange { range(by: settings) }

    private func range(by settings: Settings) -> MirrorRange {
        MirrorRange(settings: settings, catalog: archive.catalog, favorites: archive.favorites, now: now())
    }

    package func plan(for order: SyncOrder) throws -> SyncPlan {
        try SyncPlan(order, range(by: order.applied(to: settings)), at: now())
    }

    package var retention: Retention { Retention(archive: archive, settings: settings, now: now) }

    package func retention(ofFormer list: ListName) throws(SyncOrder.Contradiction) -> Retention {
        Retention(archive: archive, settings: try settings.ending(list), now: now)
    }
}

extension Settings {
    /// A list of which something is here, also where the settings name it no more.
    func list(_ name: ListName) -> PictureList { self[list: name] ?? PictureList(name: name, address: upstream) }

    /// The folder of the catalog.
    package var stateFolder: String { state ?? Tree.ownPath(in: root) }

    /// The kinds of thumbnails that the settings want.
    package var thumbnailUses: ThumbnailUses {
        ThumbnailUses(screens: gallery == .yes, fileManagers: thumbnails == .yes)
    }

    /// The settings that need another fetcher when they change.
    fileprivate var network: [String] { ["\(upstream)", "\(rate)", "\(connections)", "\(neighbours)", contact ?? ""] }
}

extension FetchSettings {
    fileprivate mutating func apply(_ settings: Settings, _ version: String) {
        userAgent = "apod-mirror/\(version)" + (settings.contact.map { " (+\($0))" } ?? "")
        distance = settings.distance
        connections = settings.connections
        neighbours = settings.neighbours
    }
}
