package import Apod
import Files
import Synchronization

/// Limits, pauses and retries of a `Fetcher`.
package struct FetchSettings: Sendable {
    package var userAgent: String
    /// Between the beginnings of two requests for documents.
    package var distance: Duration = .seconds(1)
    /// The most pictures and videos to fetch at once.
    package var connections = 4
    package var stallSeconds = 30
    /// In bytes a second. A transfer that is slower for `stallSeconds` ends: it could block a connection for days.
    /// Low, because all transfers share a slow line.
    package var slowest = 500
    package var attempts = 4
    /// Before the second attempt; doubles with each further one.
    package var pause: Duration = .seconds(1)
    /// If a server asks for a longer pause, the request fails.
    package var longestPause: Duration = .seconds(60)
    package var cooldowns = HostCooldowns()
    package var mirrors = KnownMirrors()
    /// Other mirrors, which are asked first.
    package var neighbours: [WebAddress] = []
    /// Whether it is one of them.
    var isNeighbour = false

    package init(userAgent: String = "") { self.userAgent = userAgent }

    /// What takes long is sooner had from NASA.
    var ofNeighbour: FetchSettings {
        var settings = self
        (settings.isNeighbour, settings.neighbours, settings.attempts, settings.slowest) = (true, [], 1, 50_000)
        settings.cooldowns = HostCooldowns(shortest: .seconds(60))
        return settings
    }
}

/// Upstreams that are mirrors, by their origins: they lead NASA's media to themselves.
package final class KnownMirrors: Sendable {
    private let origins = Mutex<Set<String>>([])

    func insert(_ origin: String) { origins.withLock { _ = $0.insert(origin) } }

    func contains(_ origin: String) -> Bool { origins.withLock { $0.contains(origin) } }
}

/// Keeps a minimum time between the starts of requests.
actor RateLimiter {
    private let distance: Duration
    private var next = ContinuousClock.now

    init(_ distance: Duration) { self.distance = distance }

    /// Postpones requests that have not called `wait` yet; one that already waits goes ahead.
    func postpone(by time: Duration) { next = max(next, .now + time) }

    func wait() async throws {
        let start = max(next, .now)
        next = start + distance
        try await sleep(until: start)
    }
}
