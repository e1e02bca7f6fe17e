package import Apod
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
        let slash = path.lastIndex(of: "/")
        guard slash != 0, let album = slash.map({ Album(Array(path[..<$0])) }) ?? .top,
            let name = Name(path[(slash.map { $0 + 1 } ?? 0)...])
        else { return nil }
        self.init(name, in: album)
    }

    /// The path below the favorites folder.
    package var path: [UInt8] { album.inner(name).path }
}

extension Place: JSONTextCodable {
    package init?(_ text: String) { self.init(path: text.bytes) }

    /// The path; what is not text is replaced.
    package var description: String { path.text }
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
        Set(lazy.map(\.album)).subtracting([.top]).map { $0.path.text }.sorted()
    }
}

/// A folder in the favorites folder, or, with an empty path, the favorites folder itself.
package struct Album: Hashable, Sendable {
    /// `Nebulae/Red ones`, in bytes.
    package let path: [UInt8]

    package static let top = Album(path: [])

    private init(path: [UInt8]) { self.path = path }

    /// Reads a path back; nil for one that leads out of the favorites folder.
    package init?(_ path: [UInt8]) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard path.isEmpty || parts.allSatisfy({ Name($0) != nil }) else { return nil }
        self.path = path
    }

    package static func == (one: Album, other: Album) -> Bool { one.path.isSame(as: other.path) }
    package func hash(into hasher: inout Hasher) { path.hashAll(into: &hasher) }

    package init(_ name: AlbumName) { self.init(path: name.description.bytes) }

    package func inner(_ name: Name) -> Album {
        Album(path: path.isEmpty ? Array(name.bytes) : path + ["/"] + name.bytes)
    }

    package func isInside(_ other: Album) -> Bool {
        other.path.isEmpty || path == other.path || path.starts(with: other.path + ["/"])
    }

    /// The albums from the favorites folder down to this one.
    package var way: [Album] {
        [.top] + path.indices.filter { path[$0] == "/" }.map { Album(path: Array(path[..<$0])) }
            + (path.isEmpty ? [] : [self])
    }

    package var names: [Name] { path.split(separator: "/").compactMap { Name($0) } }
    package var depth: Int { path.isEmpty ? 0 : path.count { $0 == "/" } + 1 }
}
