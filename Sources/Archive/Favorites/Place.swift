package import Files

/// A place in the favorites folder.
package struct Place: Hashable, Sendable {
    package let album: Album
    package let name: Name

    package init(_ name: Name, in album: Album) {
        self.album = album
        self.name = name
    }
}

extension Place {
    /// Reads a path below the favorites folder; nil for one that leads out of it.
    package init?(path: [UInt8]) {
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let album = slash.flatMap { Album(Array(path[..<$0])) } ?? .top
        guard let name = Name(path[(slash.map { $0 + 1 } ?? 0)...]), album.inner(name).path == path else { return nil }
        self.init(name, in: album)
    }

    /// The path below the favorites folder.
    package var path: [UInt8] { album.inner(name).path }
}

extension Place: CustomStringConvertible {
    /// The path; what is not text is replaced.
    package var description: String { String(decoding: path, as: UTF8.self) }
}

extension Place: Comparable {
    package static func < (one: Place, other: Place) -> Bool {
        if one.album == other.album { return one.name.bytes.lexicographicallyPrecedes(other.name.bytes) }
        return one.album.path.lexicographicallyPrecedes(other.album.path)
    }
}

extension Sequence<Place> {
    /// The names of the albums in which they are.
    var albumNames: [String] {
        Set(lazy.map(\.album)).subtracting([.top]).map { String(decoding: $0.path, as: UTF8.self) }.sorted()
    }
}
