package import Apod
package import Archive
internal import Fetching
internal import Upstream

/// The mirror opened for writing, with all that a refresh needs.
package struct Session: Sendable {
    package let archive: Archive
    private let settings: Settings
    private let fetcher: Fetcher
    private let upstream: APODBasic
    private let now: @Sendable () -> Int

    package init(
        _ settings: Settings, version: String, environment: [String: String], now: @escaping @Sendable () -> Int
    ) throws(ArchiveError) {
        self.settings = settings
        self.now = now
        var fetching = Fetcher.Settings(userAgent: "apod-mirror/\(version) (+\(settings.contact))")
        fetching.distance = settings.rate == 0 ? .zero : .seconds(1 / settings.rate)
        fetching.connections = settings.connections
        fetcher = Fetcher(fetching, upstream: settings.upstream, environment: environment)
        upstream = APODBasic(settings.upstream, fetcher: fetcher)
        archive = try Archive(root: settings.root, state: settings.state) { try? Picture(record: $0) }
        try archive.tidy(now: now())
        // Whatever the first run is for, it is the first: the days named in it are not where the range begins.
        _ = try archive.firstDay(orChoose: today.advanced(by: -Settings.daysAtFirst))
    }

    package func refresh() -> Refresh {
        Refresh(archive: archive, upstream: upstream, fetcher: fetcher, settings: settings, now: now)
    }

    /// How much of files has come so far.
    package var received: Int { fetcher.received }

    package var today: Day { Day(utc: now()) }

    /// The first day to mirror. Unless it is set, it is chosen at the first run and stays.
    package func since() throws(ArchiveError) -> Day {
        let remembered = try archive.firstDay(orChoose: today.advanced(by: -Settings.daysAtFirst))
        return settings.since ?? remembered
    }
}
