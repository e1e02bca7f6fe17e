package import Apod
package import Catalog
import Files

/// A day, or an item of another list, that is a favorite or was one.
package struct Favorite: Sendable {
    package let subject: Subject
    /// In seconds since 1970.
    package let added: Int
    /// When it ended; nil while it is a favorite.
    package var ended: Int?
    /// nil while nothing of it is in the tree.
    package internal(set) var title: String?
    /// The file to look at (or the JSON alone), below the root; nil while still to come.
    package internal(set) var picture: String?
    package var links: [Place] = []
    /// The links that went within a year.
    package var removed: [RemovedLink] = []
    /// The files' names, for links that lead to another file than `picture`.
    package internal(set) var files: [Place: String] = [:]

    package var albums: [String] { links.albumNames }
}

extension FavoritesLog {
    /// The favorites with their titles and pictures, oldest day first, and behind them those of other lists.
    package func favorites(_ catalog: Catalog) throws -> [Favorite] {
        var favorites: [Favorite] = []
        try forEach(known.subjects, catalog) { favorites.append($0) }
        return favorites
    }

    /// Calls `body` with what is known of some subjects, oldest day first, each as it is at that moment.
    func forEach(_ subjects: Set<Subject>, _ catalog: Catalog, _ body: (Favorite) throws -> Void) throws {
        var rest = subjects.sorted()[...]
        // There may be very many links.
        while !rest.isEmpty {
            let portion = try catalog.identified(rest.prefix(512))
            rest = rest.dropFirst(portion.count)
            let (known, faces) = (known, try catalog.faces(of: portion))
            for var favorite in portion.compactMap(known.favorite) {
                favorite.title = faces[favorite.subject]?.title
                favorite.picture = faces[favorite.subject]?.picture
                favorite.files = favorite.files.filter { favorite.subject.path(of: $1) != favorite.picture }
                try body(favorite)
            }
        }
    }
}
