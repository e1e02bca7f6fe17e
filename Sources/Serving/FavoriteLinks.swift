internal import Apod
internal import Files

/// The favorites as `favorites.json` lists them, read again when it changes.
struct FavoriteLinks: Sendable {
    private var facts: File.Facts?
    /// Paths below `favorites`: links, and the albums that they are in. As bytes, since two names that look the same are
    /// equal as text.
    private var places: Set<[UInt8]> = []
    private(set) var subjects: [Subject] = []

    private static let file = "favorites.json"
    private static let longest = 64 << 20

    /// Reads the list if it is another one than before.
    mutating func refresh(_ root: Folder) {
        guard let now = try? root.facts(of: Self.file) else {
            self = FavoriteLinks()
            return
        }
        if let facts, facts.isSame(as: now) { return }
        self = FavoriteLinks()
        facts = now
        guard let bytes = try? root.file(Self.file)?.contents(atMost: Self.longest),
            let favorites = (try? JSONText(bytes))?.elements
        else { return }
        for members in favorites.compactMap(\.members) where members["ended"] == nil {
            if let subject = Subject(members) { subjects.append(subject) }
            for place in members["links"]?.elements?.compactMap(\.string) ?? [] {
                var parts = place.utf8.split(separator: UInt8(ascii: "/"))
                while !parts.isEmpty {
                    places.insert(Array(parts.joined(separator: "/".utf8)))
                    parts.removeLast()
                }
            }
        }
    }

    /// `path`: below `favorites`; empty for the folder itself.
    func has(_ path: [UInt8]) -> Bool { path.isEmpty || places.contains(path) }
}
