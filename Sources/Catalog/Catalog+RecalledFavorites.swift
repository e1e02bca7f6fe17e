internal import Apod
package import Files
import Synchronization

extension Catalog {
    /// Enters favorites that were known before the catalog was lost.
    package func recall(_ favorites: [Favorite], at moment: Int) throws(StorageError) {
        try database.withLock { database throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                for favorite in favorites { try Self.recall(favorite, at: moment, in: database) }
            }
        }
    }

    private static func recall(
        _ favorite: Favorite, at moment: Int, in database: Database
    ) throws(StorageError) {
        try database.run(
            "INSERT OR IGNORE INTO favorite (day, added) VALUES (?, ?)", .integer(favorite.day.number),
            .integer(favorite.added))
        for place in favorite.links {
            try write(place, .day(favorite.day, file: favorite.files[place]), to: database)
        }
        for place in favorite.vanished {
            let link = Link(place, to: favorite.day, file: favorite.files[place])
            try setAside(link, at: moment, in: database)
        }
    }
}
