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
}

extension Place: CustomStringConvertible {
    /// The path below the favorites folder; what is not text is replaced.
    package var description: String { String(decoding: album.inner(name).path, as: UTF8.self) }
}
