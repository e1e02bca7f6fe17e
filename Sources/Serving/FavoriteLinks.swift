internal import Apod
internal import Files
internal import Synchronization

/// The favorites as `favorites.json` lists them, read again when it changes.
final class FavoriteLinks: Sendable {
    private struct Known {
        var facts: File.Facts?
        /// Paths below `favorites`: links, and the albums that they are in.
        var places: Set<String> = []
        var days: [Day] = []
    }

    private let known = Mutex(Known())
    private static let file = "favorites.json"
    private static let longest = 64 << 20

    /// Reads the list if it is another one than before.
    func refresh(_ root: Folder) {
        guard let facts = try? root.facts(of: Self.file) else { return known.withLock { $0 = Known() } }
        known.withLock { known in
            if let former = known.facts, former.isSame(as: facts) { return }
            known = Known(facts: facts)
            guard let bytes = try? root.file(Self.file)?.contents(atMost: Self.longest),
                let favorites = (try? JSONText(bytes))?.elements
            else { return }
            for members in favorites.compactMap(\.members) where members["ended"] == nil {
                if let day = members["date"]?.day { known.days.append(day) }
                for place in members["links"]?.elements?.compactMap(\.string) ?? [] {
                    var parts = place.split(separator: "/")
                    while !parts.isEmpty {
                        known.places.insert(parts.joined(separator: "/"))
                        parts.removeLast()
                    }
                }
            }
        }
    }

    var days: [Day] { known.withLock { $0.days } }

    /// `path`: below `favorites`; empty for the folder itself.
    func has(_ path: String) -> Bool { path.isEmpty || known.withLock { $0.places.contains(path) } }
}
