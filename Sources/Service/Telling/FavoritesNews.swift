package import Apod
import Favorites
import Files
package import Store

/// What has changed in the favorites during a sync.
package struct FavoritesNews: Sendable {
    private let archive: Archive
    private let favorites: Set<Key>
    /// Favorites whose pictures were not here.
    private let waiting: Set<Key>

    /// Must be made before the sync. `known`: the favorites before the folder was read; nil: those of the history.
    package init(_ archive: Archive, known favorites: Set<Key>? = nil) throws {
        self.archive = archive
        self.favorites = favorites ?? archive.favorites.known.keys
        waiting = try Self.waiting(archive)
    }

    private static func waiting(_ archive: Archive) throws -> Set<Key> {
        Set(try archive.catalog.pending(among: archive.favorites.known.keys).map(\.key))
    }

    /// The lines to tell after the sync.
    package var lines: [String] {
        get throws {
            let now = archive.favorites.known.keys
            let new = now.subtracting(favorites)
            let counts: [(Int, String)] = [
                (new.count, "new"), (favorites.subtracting(now).count, "ended"),
                (waiting.intersection(now).subtracting(try Self.waiting(archive)).count, "fetched"),
            ]
            let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            var lines: [String] = []
            if !parts.isEmpty {
                lines.append("favorites: \(parts.joined(separator: ", ")); `apod-mirror favorites list` shows them")
            }
            let others = try archive.catalog.leftAlone().count
            if others > 0, Tree.favoritesLack(in: archive.tree.root.path) == nil {
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
