package import Apod
package import Configuration
import Files
package import Store

/// The range of days to mirror. It leaves out what `pruning` deletes: otherwise, days would come and go for ever.
package struct MirrorRange {
    let settings: Settings
    let catalog: Catalog
    let favorites: FavoritesLog
    let now: Int

    package init(settings: Settings, catalog: Catalog, favorites: FavoritesLog, now: Int) {
        self.settings = settings
        self.catalog = catalog
        self.favorites = favorites
        self.now = now
    }

    private var today: Day { NewYork.day(at: now) }

    /// The first day to mirror. Unless it is set, it is chosen at the first run and stays.
    package func since() throws -> Day {
        if let since = settings.since { return since }
        let usual = today.advanced(by: -Settings.daysAtFirst)
        guard let remembered = try catalog.fact(.since).flatMap({ Day(daysSince1970: $0) }) else { return usual }
        // A clock that was ahead may have chosen a future day. Any day here that is no older confirms the choice, even
        // if the clock is behind now.
        if let newest = try catalog.newest(), remembered <= newest { return remembered }
        return min(remembered, usual)
    }

    /// The days from `since` to `last` that `keep` and `max-total` let stay; nil if none.
    package func wanted(until last: Day) throws -> ClosedRange<Day>? {
        let since = try since()
        // The clock may be behind: then all days here are in the future.
        if since > last, try catalog.newest() != nil { return nil }
        var first = min(since, last)
        if let keep = settings.keep {
            let newest = try newest() ?? last
            first = max(first, max(newest, last).before(keep))
        }
        if let limit = settings.maxTotal, let barred = try newestBarred(atMost: limit) {
            first = max(first, barred.advanced(by: 1))
        }
        return first <= last ? first...last : nil
    }

    /// The wanted days up to the newest here; the days after it may not be published yet. nil if none.
    package func wantedHere() throws -> ClosedRange<Day>? {
        let newest = try newest() ?? today
        return try wanted(until: today).flatMap { $0.lowerBound <= newest ? $0.lowerBound...newest : nil }
    }

    func firstKept() throws -> Day? {
        guard let keep = settings.keep else { return nil }
        return try newest()?.before(keep)
    }

    /// The newest day for which there is no room; older days have none, either.
    private func newestBarred(atMost limit: Int) throws -> Day? {
        let bytes = try catalog.bytes()
        let pruned = try catalog.newestPruned()
        if bytes > limit { return [try newestSurplus(of: bytes, atMost: limit), pruned].compactMap(\.self).max() }
        // Deleted days come back only when a tenth of the limit is free and the newest of them fits.
        let released = try catalog.fact(.released) ?? 0
        return bytes > limit / 10 * 9 || bytes + released > limit ? pruned : nil
    }

    private func newestSurplus(of bytes: Int, atMost limit: Int) throws -> Day? {
        let newest = try newest()
        let latest = try catalog.newestImage()?.key.day ?? newest
        guard let latest else { return nil }
        let round = PruneRound(
            of: try catalog.candidates(before: latest, sparing: try protected()), [], total: bytes,
            isOutside: { _ in false }, atMost: limit, replacedBefore: 0)
        return round.isOutOfReach ? latest.advanced(by: -1) : round.days.last?.key.day
    }

    /// What no setting deletes.
    func protected() throws -> Set<Key> { favorites.known.protected(at: try catalog.believed(now)) }

    /// The newest day here, at most today. `keep` counts back from it, not from the clock: a wrong clock or a long
    /// outage must not delete all pictures.
    func newest() throws -> Day? { try catalog.newest().map { min($0, today) } }
}
