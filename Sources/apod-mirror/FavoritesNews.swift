import Apod
import Archive
import Catalog
import Favorites
internal import Files

/// What a sync has made of the favorites folder, for whoever has waited for it.
struct FavoritesNews {
    private let catalog: Catalog
    private let favorites: Set<Day>
    /// Those whose pictures were not here.
    private let waiting: Set<Day>

    /// As it is before. `known`: the favorites before anybody looked into the folder.
    init(_ catalog: Catalog, known favorites: Set<Day>) throws(StorageError) {
        self.catalog = catalog
        self.favorites = favorites
        waiting = try Self.waiting(catalog)
    }

    private static func waiting(_ catalog: Catalog) throws(StorageError) -> Set<Day> {
        Set(try catalog.pendingFavorites(atMost: .max).map(\.day))
    }

    /// A line each, as it is now.
    func lines(_ adopted: AdoptionTally, isFolderThere: Bool) throws(StorageError) -> [String] {
        let now = try catalog.favoriteDays()
        let new = now.subtracting(favorites).count
        let ended = favorites.subtracting(now).count
        let came = waiting.intersection(now).subtracting(try Self.waiting(catalog)).count
        let parts = [
            (new, "\(new) new"), (ended, "\(ended) ended"), (came, "\(came) fetched"),
            (adopted.links, adopted.links == 1 ? "1 link put in order" : "\(adopted.links) links put in order"),
            (adopted.copies, adopted.copies == 1 ? "1 copy made a link" : "\(adopted.copies) copies made links"),
        ].filter { $0.0 > 0 }.map { $0.1 }
        var lines: [String] = []
        if !parts.isEmpty {
            lines.append("favorites: \(parts.joined(separator: ", ")); `apod-mirror favorites list` shows them")
        }
        let others = try catalog.favoritesSummary().unrecognised
        if others > 0, isFolderThere {
            let things = others == 1 ? "1 thing is no favorite and stays" : "\(others) things are no favorites and stay"
            lines.append(
                "in \(Tree.favorites), \(things) as \(others == 1 ? "it is" : "they are"); `apod-mirror status` says why"
            )
        }
        return lines
    }
}
