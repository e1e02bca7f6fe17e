package import Apod
package import Archive
internal import Catalog
internal import Favorites
package import Files
internal import Watching

/// What has changed in the favorites during a sync.
package struct FavoritesNews: Sendable {
    private let archive: Archive
    private let favorites: Set<Day>
    /// Favorites whose pictures were not here.
    private let waiting: Set<Day>

    private var catalog: Catalog { archive.catalog }

    /// Must be made before the sync. `known`: the favorites before the folder was read; nil: those of the catalog.
    package init(_ archive: Archive, known favorites: Set<Day>? = nil) throws(StorageError) {
        self.archive = archive
        self.favorites = if let favorites { favorites } else { try archive.catalog.favoriteDays() }
        waiting = try Self.waiting(archive.catalog)
    }

    private static func waiting(_ catalog: Catalog) throws(StorageError) -> Set<Day> {
        Set(try catalog.pendingFavorites(atMost: .max).map(\.day))
    }

    /// The lines to tell after the sync.
    package var lines: [String] {
        get throws(StorageError) {
            let now = try catalog.favoriteDays()
            let new = now.subtracting(favorites)
            let parts = [
                (new.count, "new"), (favorites.subtracting(now).count, "ended"),
                (waiting.intersection(now).subtracting(try Self.waiting(catalog)).count, "fetched"),
            ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            var lines: [String] = []
            if !parts.isEmpty {
                lines.append("favorites: \(parts.joined(separator: ", ")); `apod-mirror favorites list` shows them")
            }
            let others = try catalog.favoritesSummary().unrecognised
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
