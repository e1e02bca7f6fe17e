package import Catalog
package import Files

extension Catalog {
    /// The favorites that ended within a year, oldest day first.
    package func endedFavorites() throws(StorageError) -> [Favorite] {
        var ended: [Favorite] = []
        try forEachFavoriteAndEnded { if $0.ended != nil { ended.append($0) } }
        return ended
    }
}
