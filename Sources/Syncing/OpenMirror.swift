package import Apod
package import Archive
internal import Catalog
package import Concurrency
package import Configuration
package import Favorites
package import Fetching
package import Files
import Glibc
import Synchronization
internal import Upstream

/// The mirror opened for writing, with all that a refresh needs.
package final class OpenMirror: Sendable {
    package let archive: Archive
    package let settings: Settings
    private let made = Mutex(Made())
    private let newFetcher: @Sendable (Settings) -> Fetcher
    private let cooldowns: HostCooldowns
    private let time: any WallClock
    private let now: @Sendable () -> Int
    /// It was begun beside another one.
    private let isSecond: Bool

    /// `cooldowns`: what is known from before of hosts that are to be left alone.
    package init(
        _ settings: Settings, version: String, environment: [String: String], time: any WallClock,
        cooldowns known: HostCooldowns = HostCooldowns(), tune: (inout FetchSettings) -> Void = { _ in }
    ) throws(ArchiveError) {
        self.settings = settings
        self.time = time
        now = { time.now }
        var fetching = FetchSettings(userAgent: "")
        fetching.apply(settings, version)
        fetching.cooldowns = known
        tune(&fetching)
        cooldowns = fetching.cooldowns
        newFetcher = { [fetching] given in
            var fetching = fetching
            if given.network != settings.network { fetching.apply(given, version) }
            return Fetcher(fetching, upstream: given.upstream, environment: environment)
        }
        let roots = KnownRoots(environment: environment)
        if roots.haveLost(settings.root) { throw .away(root: settings.root) }
        try Self.refuseGuest(settings.root)
        archive = try Archive(root: settings.root, state: settings.state) { try? Picture(record: $0) }
        isSecond = archive.found == 0 && !roots.others(than: settings.root).isEmpty
        roots.remember(settings.root)
        let favorites = CurrentFavorites(at: archive.tree.root, archive.catalog)
        let retention = retention
        try ArchiveError.wrapping { () throws(StorageError) in
            try archive.tidy(
                now: now(), going: { () throws(StorageError) in try retention.going(sparing: favorites) },
                unless: { favorites.mayContain($0) })
            // Whatever the first run is for, it is the first: the days named in it are not where the range begins.
            _ = try archive.firstDay(orChoose: today.advanced(by: -Settings.daysAtFirst))
        }
        try? archive.catalog.setMaxFile(settings.maxFile)
    }

    /// What root makes in a tree of somebody else's, that one cannot go on with.
    private static func refuseGuest(_ root: String) throws(ArchiveError) {
        guard geteuid() == 0, let owner = FileOwner(of: "\(root)/\(Tree.ownFolder)"), owner.user != 0 else { return }
        throw .foreign(root: root, owner: owner.name)
    }

    package func refresh(for order: SyncOrder = SyncOrder()) -> Refresh {
        let settings = order.applied(to: settings)
        let fetcher = fetcher(for: settings)
        return Refresh(
            archive: archive, upstream: APODBasic(settings.upstream, fetcher: fetcher), fetcher: fetcher,
            settings: settings, now: now)
    }

    /// A person asks: also of hosts that could not be reached a moment ago.
    package func forgive() { cooldowns.forgive() }

    /// There while a refresh needs it: a service that only waits has no use for it.
    private struct Made {
        weak var fetcher: Fetcher?
        var network: [String] = []
    }

    private func fetcher(for settings: Settings) -> Fetcher {
        made.withLock { made in
            if let fetcher = made.fetcher, made.network == settings.network { return fetcher }
            let fetcher = newFetcher(settings)
            made = Made(fetcher: fetcher, network: settings.network)
            return fetcher
        }
    }

    /// Keeps the favorites, as long as it runs.
    package func favoritesService(_ report: @escaping @Sendable (FavoritesService.Event) -> Void) -> FavoritesService {
        FavoritesService(archive, clock: now, report: report)
    }

    /// Looks into the favorites folder only when it is told to.
    package func reconciler(settleDelay: Duration = .seconds(2)) -> Reconciler {
        Reconciler(archive, settleDelay: settleDelay, clock: now)
    }

    /// How much of files has come so far in this refresh.
    package var received: Int { made.withLock { $0.fetcher?.received ?? 0 } }

    /// Why an answer is waited for; nil while nothing is known against it.
    package var delay: Failure? { made.withLock { $0.fetcher?.failure }?.failure }

    /// Another number than before when something has come of what was asked.
    package var signs: Int { made.withLock { $0.fetcher?.signs ?? 0 } }

    /// What is to be told of how it was opened.
    package var news: [String] {
        let found = archive.found.flatMap { $0 > 0 ? $0 : nil }
        let remade = found.map { "made a new catalog from the \(Day.count($0)) in \(Text.shown(settings.root))" }
        return [remade, beginning].compactMap(\.self)
    }

    /// That a second mirror was begun, which may be a mistake; nil where none was.
    private var beginning: String? { isSecond ? "began a new mirror in \(Text.shown(settings.root))" : nil }

    /// Seconds since 1970.
    package var moment: Int { now() }

    /// The newest day that can have been published.
    package var today: Day { NewYork.day(at: now()) }

    /// The favorites to ask for at the moment; none as long as the upstream wants to be left alone.
    package func dueFavorites() throws(StorageError) -> Set<Day> {
        try archive.catalog.quiet(at: now()) == nil ? try archive.catalog.dueFavorites(at: now()) : []
    }

    /// The first day to mirror. Unless it is set, it is chosen at the first run and stays.
    package func since() throws(StorageError) -> Day {
        _ = try archive.firstDay(orChoose: today.advanced(by: -Settings.daysAtFirst))
        return try mirrorRange.since()
    }

    /// The days to mirror: from `since` on, but not those that `retention` would delete again. nil if there are
    /// none; days that are asked for by name are fetched all the same.
    package func wanted(until last: Day) throws(StorageError) -> ClosedRange<Day>? {
        try mirrorRange.wanted(until: last)
    }

    /// What an order is about. With the first one, the first day is chosen.
    package func plan(for order: SyncOrder) throws(StorageError) -> SyncPlan {
        _ = try since()
        return try SyncPlan(order, own: settings, archive.catalog, at: now())
    }

    private var mirrorRange: MirrorRange { MirrorRange(settings: settings, catalog: archive.catalog, now: now()) }

    /// What `keep` and `max-total` delete.
    package var retention: Retention {
        Retention(archive: archive, settings: settings, time: time)
    }
}

extension Settings {
    /// What another fetcher takes.
    fileprivate var network: [String] { ["\(upstream)", "\(rate)", "\(connections)", contact ?? ""] }
}

extension FetchSettings {
    fileprivate mutating func apply(_ settings: Settings, _ version: String) {
        userAgent = "apod-mirror/\(version)" + (settings.contact.map { " (+\($0))" } ?? "")
        distance = settings.distance
        connections = settings.connections
    }
}
