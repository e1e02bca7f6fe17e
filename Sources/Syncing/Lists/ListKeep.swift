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
    let mirror: OpenMirror
    let isAsked: Bool
    let report: @Sendable (RefreshEvent) -> Void

    private var keep: Int { list.keep ?? 0 }
    private var archive: Archive { mirror.archive }

    /// Returns how many pictures were to go, and how many former versions went.
    func apply() async throws(StorageError) -> Int {
        let (surplus, isHeld) = try await blocking { () throws(StorageError) -> ([Day], Bool) in
            let surplus = try Self.surplus(of: list, mirror.range).map(\.name.day)
            let isOther = try archive.catalog.fact(.retention, of: list.name) != keep
            return (surplus, !isAsked && PruneHold.isNeeded(surplus.count, of: surplus.count + keep, isOther))
        }
        if isHeld {
            let count = "\(surplus.count) pictures are more than keep = \(keep) allows"
            report(.noted("\(list.name): \(count); `apod-mirror prune` deletes them"))
            return 0
        }
        if !surplus.isEmpty { try await delete(surplus) }
        let versions = try await blocking { () throws(StorageError) in try former() }
        let gone = try await delete(versions)
        if !Task.isCancelled {
            try await blocking { () throws(StorageError) in try archive.catalog.setFact(.retention, of: list.name, keep) }
        }
        return surplus.count + gone
    }

    /// Returns how many versions were deleted.
    private func delete(_ versions: [FormerVersion]) async throws(StorageError) -> Int {
        if versions.isEmpty { return 0 }
        let (gone, refused) = try await archive.prune(versions, unless: mirror.archive.present())
        if let why = refused.first?.why { report(.listFailed(list.name, why: why.failure)) }
        if !gone.isEmpty {
            let pictures = Picture.count(Set(gone.map(\.day)).count)
            report(.noted("\(list.name): deleted what was replaced of \(pictures)"))
        }
        return gone.count
    }

    private func delete(_ surplus: [Day]) async throws(StorageError) {
        let outcome = try await archive.prune(surplus, at: mirror.moment, unless: mirror.archive.present())
        if let why = outcome.refused.values.first { report(.listFailed(list.name, why: why.failure)) }
        if outcome.gone.isEmpty { return }
        report(.noted("\(list.name): deleted \(Picture.count(outcome.gone.count)) (keep = \(keep))"))
    }

    /// The former versions of pictures that were deleted.
    private func former() throws(StorageError) -> [FormerVersion] {
        let range = Day.all(of: list.name)
        let versions = try archive.catalog.versionsWithFiles(in: range)
        if versions.isEmpty { return [] }
        let deleted = Set(try archive.catalog.storedDays(in: range).filter { $0.state == .pruned }.map(\.day))
        return versions.filter { deleted.contains($0.day) }
    }

    /// The pictures that are too many and no favorites, the newest first. `range`: that of the mirror's days.
    package static func surplus(of list: PictureList, _ range: MirrorRange) throws(StorageError) -> [StoredDay] {
        guard let keep = list.keep else { return [] }
        let items = try range.catalog.storedItems(of: list.name).compactMap(\.stored)
            .filter { !$0.name.isCover && !$0.files.isEmpty }
        return try range.unprotected(items.dropLast(keep).reversed())
    }
}
