internal import Apod
internal import Catalog
internal import Files

/// Reads the favorites back from `favorites.json` when the catalog is made again.
struct FavoritesFileReader {
    let root: Folder

    private static let longest = 256 << 20

    func enter(into catalog: Catalog, at moment: Int) throws(StorageError) {
        // A folder or a link of this name is a person's.
        guard try root.kind(of: Tree.favoritesList) == .regular else { return }
        let bytes = try root.file(Tree.favoritesList)?.contents(atMost: Self.longest)
        guard let bytes, let items = (try? JSONText(bytes))?.elements else { return }
        try catalog.recall(items.compactMap { Self.favorite($0, at: moment) })
    }

    /// `moment`: the time to assume where the file tells none.
    private static func favorite(_ text: JSONText, at moment: Int) -> Favorite? {
        guard let members = text.members, let day = members["date"]?.day else { return nil }
        let files = (members["files"]?.members ?? [:]).compactMap { link, file in
            Place(path: Array(link.utf8)).flatMap { place in
                file.string.flatMap { Name($0) == nil ? nil : (place, $0) }
            }
        }
        let links = (members["links"]?.elements ?? []).compactMap {
            $0.string.flatMap { Place(path: Array($0.utf8)) }
        }
        let ended = members["ended"]?.moment ?? moment
        return Favorite(
            day: day, added: members["added"]?.moment ?? (links.isEmpty ? ended : moment),
            ended: links.isEmpty ? ended : nil, links: links, removed: removed(members, of: day),
            files: Dictionary(files) { first, _ in first })
    }

    private static func removed(_ members: [String: JSONText], of day: Day) -> [RemovedLink] {
        (members["removed"]?.elements ?? []).compactMap { one in
            guard let place = (one["link"]?.string).flatMap({ Place(path: Array($0.utf8)) }),
                let moment = one["time"]?.moment
            else { return nil }
            let file = (one["file"]?.string).flatMap { Name($0) == nil ? nil : $0 }
            return RemovedLink(Link(place, to: day, file: file), went: moment)
        }
    }
}
