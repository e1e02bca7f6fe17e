package import Apod
package import Configuration
package import Fetching
package import Store
package import Syncing
package import TestSupport
import Upstream

/// So many days before today.
package func ago(_ days: Int) -> Day { TestMirror.today.advanced(by: -days) }

/// A fake NASA and a mirror of it in a folder of its own. It is noon of 2026-11-20.
package final class TestMirror {
    package static let today = november(20)

    package let nasa: FakeNASA
    package let folder: TemporaryFolder
    package let clock = FakeClock(TestMirror.today.noon)
    package let root: String
    package var settings: Settings
    package var since: Day
    /// Whether a person asks.
    package var isAsked = false
    private var open: Archive?

    package init(_ entries: [Entry], root: String? = nil, _ change: (inout Settings) -> Void = { _ in }) throws {
        nasa = try FakeNASA(entries)
        folder = try TemporaryFolder()
        self.root = root ?? folder.appending("APOD")
        since = entries.map(\.day).min() ?? Self.today
        settings = Settings(root: self.root)
        settings.upstream = WebAddress(nasa.origin)!
        settings.rate = 0
        change(&settings)
    }

    /// So many days in a row, the last of them today.
    package convenience init(days: Int, bytes: Int = 2_000, _ change: (inout Settings) -> Void = { _ in }) throws {
        try self.init(Entry.days(days, newest: Self.today, bytes: bytes), change)
    }

    /// The same, which are all wanted, and here.
    package static func fetched(days: Int, bytes: Int = 2_000) async throws -> TestMirror {
        let testMirror = try TestMirror(days: days, bytes: bytes) { $0.since = Self.today.advanced(by: 1 - days) }
        try await testMirror.fetch()
        return testMirror
    }

    /// Where something in the mirror is.
    package subscript(path: String) -> String { "\(root)/\(path)" }

    package var today: Day { Day(utc: clock.now) }

    /// The mirror, opened for writing when it is first needed.
    package func archive() throws -> Archive {
        if let open { return open }
        let archive = try Archive(root: root, state: settings.state) { record, _ in try? Picture(record: record) }
        try archive.tidy()
        _ = try archive.firstDay(orChoose: today)
        open = archive
        return archive
    }

    /// As when the program ends: the next sync opens everything anew.
    package func close() async throws {
        open = nil
        try await unlocked(root)
    }

    package func fetcher() -> Fetcher { Fetcher(fetching, upstream: settings.upstream) }

    /// With short pauses.
    var fetching: FetchSettings {
        var fetching = FetchSettings(userAgent: "apod-mirror-test (+https://example.org/)")
        fetching.distance = .zero
        fetching.stallSeconds = 1
        fetching.pause = .milliseconds(5)
        fetching.cooldowns = HostCooldowns(shortest: .milliseconds(1))
        return fetching
    }

    /// Without a request: what is missing since the oldest day that NASA had at first.
    @discardableResult
    package func sync(_ request: RefreshRequest? = nil) async throws -> [Event] {
        let (events, error) = try await attempt(request)
        if let error { throw error }
        return events
    }

    /// All that happened, and what ended it too early.
    package func attempt(_ request: RefreshRequest? = nil) async throws -> (
        events: [Event], error: Problem?
    ) {
        let (fetcher, clock) = (fetcher(), clock)
        var refresh = Refresh(
            archive: try archive(), upstream: APODBasic(settings.upstream, fetcher: fetcher), fetcher: fetcher,
            settings: settings, now: { clock.now })
        refresh.isAsked = isAsked
        var events: [Event] = []
        do {
            for try await event in refresh.running(request ?? .missing(since...today)) { events.append(event) }
        } catch let error as Problem {
            return (events, error)
        }
        return (events, nil)
    }
}
