package import Apod
internal import Catalog
package import Files

/// Both kinds: what nobody wants or knows of goes, and what was lost is noted.
extension Thumbnails {
    /// Takes away what nobody wants, and compares the rest with the catalog: files that were lost are made again, and those
    /// of which it knows nothing go. `isRight`: those before have left all as it should be. Stopped, it leaves the rest for
    /// the next time.
    package func tidy(isRight: Bool = false, unless isStopped: () -> Bool = { false }) throws(StorageError) {
        if !uses.contains(.screens) {
            try removeScreens(unless: isStopped)
        } else {
            let isWhole = isRight ? try hasAllYears() : false
            if !isWhole { try tidyScreens(unless: isStopped) }
        }
        if isStopped() { return }
        if !uses.contains(.fileManagers) {
            try removeAllShared(unless: isStopped)
        } else if !isRight {
            try tidyShared(unless: isStopped)
        }
    }

    /// Takes away those of pictures that are gone. Stopped, it leaves the rest for the next time.
    package func removeStale(
        in range: ClosedRange<Day> = Day.all, unless isStopped: () -> Bool = { false }
    ) throws(StorageError) {
        let days = try catalog.daysWithStaleThumbnails(in: range)
        if days.isEmpty { return }
        var gone = try removeFiles(of: days, unless: isStopped)
        for day in gone {
            if isStopped() { gone.remove(day) } else { try removeShared(of: day) }
        }
        // Behind the files: cut off in between, it is done again.
        try catalog.forgetThumbnails(of: gone)
    }

    /// Those for screens, or, without them, the others.
    func paths(of stored: StoredDay, _ uses: ThumbnailUses) -> [String] {
        uses.contains(.screens) ? Self.paths(of: stored.name.day) : Self.sharedPaths(of: stored)
    }
}
