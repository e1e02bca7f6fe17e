internal import Catalog
internal import Files
import Synchronization
internal import Watching

extension Reconciler {
    private static let mostAlbums = 100

    /// Remembers which places could not be changed, and writes their albums into the catalog. `work`: the places tried.
    func rememberUnwritable(_ unwritable: [Place: Int32], after work: DirtyPaths) throws(StorageError) {
        let (all, told) = state.withLock { state in
            if case .places(let places) = work {
                for place in places { state.unwritable[place] = nil }
                state.unwritable.merge(unwritable) { _, new in new }
            } else {
                state.unwritable = unwritable
            }
            return (state.unwritable, state.recordedUnwritable)
        }
        let byAlbum = Dictionary(grouping: all) { $0.key.album }
        let sorted = byAlbum.sorted { $0.key.path.lexicographicallyPrecedes($1.key.path) }
        let albums = sorted.prefix(Self.mostAlbums).map { album, things in
            UnwritableAlbum(
                String(decoding: album.path, as: UTF8.self), things: things.count, numbers: Set(things.map(\.value)))
        }
        if told == albums { return }
        try catalog.setUnwritableAlbums(albums)
        state.withLock { ($0.recordedUnwritable, $0.isNews) = (albums, true) }
    }
}
