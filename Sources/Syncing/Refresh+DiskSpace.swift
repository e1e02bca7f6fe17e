internal import Apod
internal import Archive
internal import Catalog
internal import Configuration
internal import Files

/// Whether there is room for more days, on the disk and within `max-total`.
extension Refresh {
    /// Throws if less is free than the mirror leaves to others.
    func checkDisk() throws(RefreshError) {
        let root = archive.tree.root
        let space = try reading { _ throws(StorageError) in try root.space() }
        if space.isBelowFloor { throw .noRoom(root: root.path, floor: space.floor) }
    }

    /// Why `max-total` would delete the question's days, and all older ones, as soon as they came; nil if it would not.
    func surplus(_ question: QuestionPlan.Question) throws(StorageError) -> String? {
        guard let limit = settings.maxTotal else { return nil }
        if case .head = question { return nil }
        let last = question.range.upperBound
        let catalog = archive.catalog
        let favorites = archive.favorites.known.protected(at: try catalog.believed(now()))
        let bytes = try catalog.bytes() - catalog.releasableBytes(before: last, sparing: favorites)
        guard bytes > limit else { return nil }
        return "there is no room within max-total (\(Size.text(limit))) for \(last) and what is older"
    }
}
