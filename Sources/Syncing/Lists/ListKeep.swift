package import Apod
internal import Archive
package import Catalog
internal import Concurrency
package import Files

/// Deletes what a list's `keep` does not allow: all but its newest pictures, by their dates or else their places in it.
/// Favorites stay, as with days.
///
/// As with days, more than a few at once wait until a person says `prune` where `keep` is another than was last applied, or
/// more than half would go.
package struct ListKeep: Sendable {
    let list: PictureList
    let archive: Archive
    let mirror: OpenMirror
    let isAsked: Bool
    let report: @Sendable (RefreshEvent) -> Void

    /// As many go without a question.
    private static let most = 5

    /// Returns how many pictures it deleted.
    func apply() async throws(StorageError) -> Int {
        let keep = list.keep ?? 0
        let (surplus, isHeld) = try await blocking { () throws(StorageError) -> ([Day], Bool) in
            let surplus = try Self.surplus(of: list, in: archive.catalog, mirror.range).map(\.name.day)
            let isOther = try archive.catalog.fact(.retention) != keep
            let isHeld = !isAsked && surplus.count > Self.most && (isOther || surplus.count > keep)
            if !isHeld { try archive.catalog.setFact(.retention, keep) }
            return (surplus, isHeld)
        }
        if isHeld {
            let count = "\(surplus.count) pictures are more than keep = \(keep) allows"
            report(.noted("\(list.name): \(count); `apod-mirror prune` deletes them"))
            return 0
        }
        if surplus.isEmpty { return 0 }
        let outcome = try await archive.prune(surplus, at: mirror.moment, unless: mirror.archive.present())
        let gone = outcome.gone.count
        if let why = outcome.refused.values.first {
            report(.noted("\(list.name): \(Picture.count(outcome.refused.count)) cannot be deleted: \(why)"))
        }
        if gone == 0 { return 0 }
        report(.noted("\(list.name): deleted \(Picture.count(gone)) (keep = \(keep))"))
        return gone
    }

    /// The pictures that are too many and no favorites, the newest first. `range`: that of the mirror's days.
    package static func surplus(
        of list: PictureList, in catalog: Catalog, _ range: MirrorRange
    ) throws(StorageError) -> [StoredDay] {
        guard let keep = list.keep else { return [] }
        let items = try catalog.storedItems().compactMap(\.stored).filter { $0.name != .cover && !$0.files.isEmpty }
        return try range.unprotected(items.dropLast(keep).reversed().map { (Subject($0.name, of: list.name), $0) })
    }
}
