internal import Catalog
internal import Files
import Synchronization
internal import Watching

extension Reconciler {
    private static let mostAlbums = 100

    /// Remembers which places could not be changed, and writes their albums into the catalog. `work`: the places tried.
    func rememberUnwritable(_ unwritable: Unwritable, after work: DirtyPaths) throws(StorageError) {
        let (all, told) = state.withLock { state in
            if case .places(let places) = work {
                state.unwritable.update(places, with: unwritable)
            } else {
                state.unwritable = unwritable
            }
            return (state.unwritable, state.toldUnwritable)
        }
        let sorted = all.albums.sorted { $0.key.path.lexicographicallyPrecedes($1.key.path) }
        let albums = sorted.prefix(Self.mostAlbums).map { album, count in
            UnwritableAlbum(String(decoding: album.path, as: UTF8.self), things: count.things, numbers: count.codes)
        }
        if told == albums { return }
        try catalog.setUnwritableAlbums(albums)
        state.withLock { ($0.toldUnwritable, $0.isNews) = (albums, true) }
    }
}
