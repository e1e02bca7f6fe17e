package import Apod
package import Catalog
package import Files

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
