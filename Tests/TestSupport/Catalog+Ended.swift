package import Catalog
package import Files

extension Catalog {
    /// The favorites that ended within a year, oldest day first.
    package func endedFavorites() throws(StorageError) -> [Favorite] {
        try favoritesAndEnded().filter { $0.ended != nil }
    }
}
