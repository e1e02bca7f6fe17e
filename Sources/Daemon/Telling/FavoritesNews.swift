package import Apod
package import Archive
internal import Catalog
internal import Favorites
package import Files

/// What has changed in the favorites during a sync.
package struct FavoritesNews: Sendable {
    private let archive: Archive
    private let favorites: Set<Day>
    /// Favorites whose pictures were not here.
    private let waiting: Set<Day>

    /// Must be made before the sync. `known`: the favorites before the folder was read; nil: those of the history.
    package init(_ archive: Archive, known favorites: Set<Day>? = nil) throws(StorageError) {
        self.archive = archive
        self.favorites = favorites ?? archive.favorites.known.days
        waiting = try Self.waiting(archive)
    }

    private static func waiting(_ archive: Archive) throws(StorageError) -> Set<Day> {
        Set(try archive.catalog.pending(among: archive.favorites.known.days).map(\.day))
    }

    /// The lines to tell after the sync.
    package var lines: [String] {
        get throws(StorageError) {
            let now = archive.favorites.known.days
            let new = now.subtracting(favorites)
            let parts = [
                (new.count, "new"), (favorites.subtracting(now).count, "ended"),
                (waiting.intersection(now).subtracting(try Self.waiting(archive)).count, "fetched"),
            ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            var lines: [String] = []
            if !parts.isEmpty {
                lines.append("favorites: \(parts.joined(separator: ", ")); `apod-mirror favorites list` shows them")
            }
            let others = try archive.catalog.leftAlone().count
            if others > 0, FavoritesLack(in: archive.tree.root.path) == nil {
                let (things, them) =
                    others == 1
                    ? ("1 thing is no favorite and stays", "it is")
                    : ("\(others) things are no favorites and stay", "they are")
                lines.append("in \(Tree.favorites), \(things) as \(them); `apod-mirror status` says why")
            }
            return lines
        }
    }
}
