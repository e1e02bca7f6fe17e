internal import Apod
internal import Archive
internal import Files
import Glibc
import Synchronization

extension Reconciler {
    private static let mostAlbums = 10

    /// Remembers what had to stay as it is after some work, and tells of it in the catalog.
    func keepRefused(_ refused: Set<Place>, after work: Hints) throws(ArchiveError) {
        let all = state.withLock { state in
            if case .places(let places) = work {
                state.refused.subtract(places)
            } else {
                state.refused = []
            }
            state.refused.formUnion(refused)
            return state.refused
        }
        let words = words(for: all)
        if state.withLock({ $0.toldRefused == words }) { return }
        try remembering { catalog throws(CatalogError) in
            try catalog.setRemark(.unwritable, words.isEmpty ? nil : words)
        }
        state.withLock { $0.toldRefused = words }
    }

    /// A line for each album.
    private func words(for refused: Set<Place>) -> String {
        let albums = Dictionary(grouping: refused, by: \.album).sorted {
            $0.key.path.lexicographicallyPrecedes($1.key.path)
        }
        var lines = albums.prefix(Self.mostAlbums).map { line(for: $0.key, $0.value.count) }
        if albums.count > lines.count { lines.append("and \(albums.count - lines.count) more folders") }
        return lines.joined(separator: "\n")
    }

    private func line(for album: Album, _ count: Int) -> String {
        let favorites = tree.root.path(of: Tree.favorites)
        let path = album == .top ? favorites : "\(favorites)/\(String(decoding: album.path, as: UTF8.self))"
        let things = count == 1 ? "1 link or copy stays as it is" : "\(count) links or copies stay as they are"
        let group = getgrgid(getegid()).map { String(cString: $0.pointee.gr_name) } ?? "\(getegid())"
        let folder = Text.shown("'\(path.replacing("'", with: "'\\''"))'")
        return "\(Text.shown(path)): \(things), as the service may not write there; "
            + "`sudo chgrp \(group) \(folder) && sudo chmod g+rwxs \(folder)` lets it"
    }
}
