import Apod
import Archive
import Fetching
import Service
import TestSupport
import Upstream

/// NASA's; the archive has entries of its own.
typealias Entry = TestSupport.Entry

/// A fake NASA and a mirror of it in a folder of its own. It is noon of 2026-11-20.
final class Observatory {
    static let today = Day("2026-11-20")!

    let nasa: FakeNASA
    let folder: TemporaryFolder
    let clock = FakeTime(Observatory.today.noon)
    let root: String
    var settings: Settings
    var since: Day
    var stallSeconds = 1
    private var open: Archive?

    init(_ entries: [Entry], root: String? = nil, _ change: (inout Settings) -> Void = { _ in }) throws {
        nasa = try FakeNASA(entries)
        folder = try TemporaryFolder()
        self.root = root ?? folder.appending("APOD")
        since = entries.map(\.day).min() ?? Self.today
        settings = Settings(root: self.root)
        settings.upstream = WebAddress(nasa.origin)!
        change(&settings)
    }

    /// So many days in a row, the last of them today.
    convenience init(days: Int, bytes: Int = 2_000, _ change: (inout Settings) -> Void = { _ in }) throws {
        try self.init(Entry.days(days, newest: Self.today, bytes: bytes), change)
    }

    var today: Day { Day(utc: clock.now) }

    /// The mirror, opened for writing when it is first needed.
    func archive() throws(ArchiveError) -> Archive {
        if let open { return open }
        let archive = try Archive(root: root, state: settings.state) { try? Picture(record: $0) }
        try archive.tidy(now: clock.now)
        _ = try archive.firstDay(orChoose: today)
        open = archive
        return archive
    }

    /// As when the program ends: the next sync opens everything anew.
    func close() async throws {
        open = nil
        try await unlocked(root)
    }

    func fetcher() -> Fetcher {
        var fetching = FetchSettings(userAgent: "apod-mirror-test (+https://example.org/)")
        fetching.distance = .zero
        fetching.stallSeconds = stallSeconds
        fetching.pause = .milliseconds(5)
        return Fetcher(fetching, upstream: settings.upstream, environment: [:])
    }

    func start(_ wish: Refresh.Wish? = nil) throws(ArchiveError) -> Refresh.Running {
        let (fetcher, clock) = (fetcher(), clock)
        let refresh = Refresh(
            archive: try archive(), upstream: APODBasic(settings.upstream, fetcher: fetcher), fetcher: fetcher,
            settings: settings, now: { clock.now })
        return refresh.start(wish ?? .missing(since...today))
    }

    /// Without a wish: what is missing since the oldest day that NASA had at first.
    @discardableResult
    func sync(_ wish: Refresh.Wish? = nil) async throws -> [Refresh.Event] {
        let (events, error) = try await attempt(wish)
        if let error { throw error }
        return events
    }

    /// All that happened, and what ended it too early.
    func attempt(_ wish: Refresh.Wish? = nil) async throws -> (events: [Refresh.Event], error: RefreshError?) {
        var events: [Refresh.Event] = []
        do {
            for try await event in try start(wish).events { events.append(event) }
        } catch let error as RefreshError {
            return (events, error)
        }
        return (events, nil)
    }
}
