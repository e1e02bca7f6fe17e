internal import Apod
internal import Catalog
internal import Files

/// The list of favorites that is written for other programs tells of them when the catalog is lost.
struct FavoritesFileReader {
    let root: Folder

    private static let longest = 256 << 20

    func enter(into catalog: Catalog, at moment: Int) throws(StorageError) {
        let bytes = try root.file(Tree.favoritesList)?.contents(atMost: Self.longest)
        guard let bytes, let items = (try? JSONText(bytes))?.elements else { return }
        try catalog.recall(items.compactMap(Self.favorite), at: moment)
        try catalog.recall(ended: items.compactMap(Self.ended))
        try catalog.recall(removed: items.flatMap(Self.removed))
    }

    private static func ended(_ text: JSONText) -> (day: Day, added: Int, moment: Int)? {
        guard let members = text.members, let day = (members["date"]?.string).flatMap({ Day($0) }),
            let moment = (members["ended"]?.string).flatMap(Time.seconds)
        else { return nil }
        return (day, (members["added"]?.string).flatMap(Time.seconds) ?? moment, moment)
    }

    private static func removed(_ text: JSONText) -> [RemovedLink] {
        guard let members = text.members, let day = (members["date"]?.string).flatMap({ Day($0) }),
            let removed = members["removed"]?.elements
        else { return [] }
        let added = (members["added"]?.string).flatMap(Time.seconds)
        return removed.compactMap { one in
            guard let place = (one["link"]?.string).flatMap({ Place(path: Array($0.utf8)) }),
                let moment = (one["time"]?.string).flatMap(Time.seconds)
            else { return nil }
            let file = (one["file"]?.string).flatMap { Name($0) == nil ? nil : $0 }
            return RemovedLink(link: Link(place, to: day, file: file), added: added ?? moment, moment: moment)
        }
    }

    private static func favorite(_ text: JSONText) -> Favorite? {
        guard let members = text.members, let day = (members["date"]?.string).flatMap({ Day($0) }) else { return nil }
        func places(_ key: String) -> [Place] {
            (members[key]?.elements ?? []).compactMap { $0.string.flatMap { Place(path: Array($0.utf8)) } }
        }
        let files = (members["files"]?.members ?? [:]).compactMap { link, file in
            Place(path: Array(link.utf8)).flatMap { place in
                file.string.flatMap { Name($0) == nil ? nil : (place, $0) }
            }
        }
        let added = (members["added"]?.string).flatMap(Time.seconds) ?? 0
        let favorite = Favorite(
            day: day, added: added, title: nil, picture: nil, links: places("links"), vanished: places("vanished"),
            files: Dictionary(files) { first, _ in first })
        return favorite.links.isEmpty && favorite.vanished.isEmpty ? nil : favorite
    }
}
