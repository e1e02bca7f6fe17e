package import Apod
package import Catalog
package import Files
import Synchronization
internal import Watching

/// An album in which links and copies stay as they are, as nothing can be changed there.
package struct UnwritableAlbum: Sendable, Equatable {
    /// The path below the favorites folder; empty for the folder itself.
    package let path: String
    /// The number of links and copies.
    package let things: Int
    /// Error codes (errno(3)).
    package let numbers: Set<Int32>

    package init(_ path: String, things: Int, numbers: Set<Int32>) {
        (self.path, self.things, self.numbers) = (path, things, numbers)
    }

    package var members: [(String, JSON)] {
        [
            ("album", .string(path)), ("count", .integer(things)),
            ("errors", .array(numbers.sorted().map { .integer(Int($0)) })),
        ]
    }

    init?(_ text: JSONText) {
        guard let path = text["album"]?.string, let things = text["count"]?.integer else { return nil }
        let numbers = (text["errors"]?.elements ?? []).compactMap { $0.integer.map { Int32(clamping: $0) } }
        self.init(path, things: things, numbers: Set(numbers))
    }
}

extension Catalog {
    /// At most 100 albums.
    package func unwritableAlbums() throws(StorageError) -> [UnwritableAlbum] {
        try condition(.unwritable)?.elements?.compactMap { UnwritableAlbum($0) } ?? []
    }

    func setUnwritableAlbums(_ albums: [UnwritableAlbum]) throws(StorageError) {
        try setCondition(.unwritable, albums.isEmpty ? nil : .array(albums.map { .object($0.members) }))
    }
}

extension Reconciler {
    private static let mostAlbums = 100

    /// Remembers which places could not be changed, and writes their albums into the catalog. `work`: the places tried.
    func rememberUnwritable(_ unwritable: [Place: Int32], after work: DirtyPaths) throws(StorageError) {
        let all = state.withLock { state in
            if case .places(let places) = work {
                for place in places { state.unwritable[place] = nil }
                state.unwritable.merge(unwritable) { _, new in new }
            } else {
                state.unwritable = unwritable
            }
            return state.unwritable
        }
        let byAlbum = Dictionary(grouping: all) { $0.key.album }
        let sorted = byAlbum.sorted { $0.key.path.lexicographicallyPrecedes($1.key.path) }
        let albums = sorted.prefix(Self.mostAlbums).map { album, things in
            UnwritableAlbum(
                String(decoding: album.path, as: UTF8.self), things: things.count, numbers: Set(things.map(\.value)))
        }
        if try catalog.unwritableAlbums() == albums { return }
        try catalog.setUnwritableAlbums(albums)
        state.withLock { $0.isNews = true }
    }
}
