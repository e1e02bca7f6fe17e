package import Apod
internal import Archive
package import Catalog
package import Configuration
package import Files

/// Which days are to be mirrored. It never asks for what `pruning` takes away, or both would have work for ever.
package struct MirrorRange {
    let settings: Settings
    let catalog: Catalog
    let now: Int

    package init(settings: Settings, catalog: Catalog, now: Int) {
        self.settings = settings
        self.catalog = catalog
        self.now = now
    }

    private var today: Day { NewYork.day(at: now) }

    /// The first day to mirror.
    package func since() throws(StorageError) -> Day {
        if let since = settings.since { return since }
        let usual = today.advanced(by: -Settings.daysAtFirst)
        guard let remembered = try catalog.fact(.since).flatMap({ Day(daysSince1970: $0) }) else { return usual }
        // A clock that was wrong at the first run may have chosen a day that is still to come; one that is behind now is
        // not believed.
        if let newest = try catalog.newest(), remembered <= newest { return remembered }
        return min(remembered, usual)
    }

    /// From `since` on, but only what may stay. nil if that is nothing.
    package func wanted(until last: Day) throws(StorageError) -> ClosedRange<Day>? {
        let since = try since()
        // By a clock that is behind, all that is here is still to come.
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

    func firstKept() throws(StorageError) -> Day? {
        guard let keep = settings.keep else { return nil }
        return try newest()?.before(keep)
    }

    /// Whether a day would stay if it was fetched now and is no favorite, as far as that is known.
    package func keeps(_ day: Day) throws(StorageError) -> Bool {
        if let first = try firstKept(), day < first { return false }
        guard let limit = settings.maxTotal, let barred = try newestBarred(atMost: limit) else { return true }
        return day > barred
    }

    /// The newest day for which there is no room, nor for any before it.
    private func newestBarred(atMost limit: Int) throws(StorageError) -> Day? {
        let bytes = try catalog.bytes()
        let pruned = try catalog.newestPruned()
        if bytes > limit { return [try newestSurplus(of: bytes, atMost: limit), pruned].compactMap(\.self).max() }
        // What was deleted does not come back into every gap.
        let released = try catalog.fact(.released) ?? 0
        return bytes > limit / 10 * 9 || bytes + released > limit ? pruned : nil
    }

    private func newestSurplus(of bytes: Int, atMost limit: Int) throws(StorageError) -> Day? {
        let newest = try newest()
        let latest = try catalog.newestImage()?.day ?? newest
        let surplus = PruneCandidates(candidates: try catalog.pruneCandidates(at: now), bytes: bytes, latest: latest)
            .surplus(before: nil, atMost: limit)
        let isEnough = surplus.reduce(bytes) { $0 - $1.bytes } <= limit
        return isEnough ? surplus.last?.day : latest?.advanced(by: -1)
    }

    /// Of the days that are here. `keep` counts back from there: were it only for the clock, one that is wrong, or an
    /// upstream that is silent for long, would cost all pictures.
    func newest() throws(StorageError) -> Day? { try catalog.newest().map { min($0, today) } }
}
