import Apod
package import Files
import Synchronization

/// favorites.json, as it is read: once, where there is no history, and to tell it from a person's own file.
package enum FavoritesFile {
    private static let longest = 256 << 20
    /// The file as it was last written, or found to be the mirror's.
    private static let own = Mutex<File.Facts?>(nil)

    /// The file's name, if something that is not the mirror's has it.
    package static func occupied(in root: Folder) -> String? {
        guard let facts = try? root.facts(of: Tree.favoritesList) else { return nil }
        if own.withLock({ $0?.isSame(as: facts) == true }) { return nil }
        guard facts.isRegular, (try? elements(in: root)) != nil else { return Tree.favoritesList }
        remember(facts)
        return nil
    }

    /// `facts`: of a file that the mirror has written, or that was read.
    static func remember(_ facts: File.Facts) { own.withLock { $0 = facts } }

    /// nil for what is no list of favorites: NASA's lists begin with dates, too, but have no `links`. Nothing is lost with
    /// an empty file.
    private static func elements(in root: Folder) throws -> [JSONText]? {
        let bytes = try root.file(Tree.favoritesList)?.contents(atMost: longest) ?? []
        if bytes.isEmpty { return [] }
        let elements = (try? JSONText(bytes))?.elements
        return elements?.first.map { $0["links"] == nil } == true ? nil : elements
    }

    /// What the file says, as lines of a history. `now`: the time to assume where it tells none.
    static func lines(in root: Folder, at now: Int) throws -> [HistoryLine] {
        // A folder or a link of this name is a person's.
        guard try root.kind(of: Tree.favoritesList) == .regular else { return [] }
        return (try elements(in: root) ?? []).flatMap { element -> [HistoryLine] in
            guard let members = element.members, let key = Key(members) else { return [] }
            let id = members["id"]?.string
            let added = members["added"]?.moment ?? now
            // A link leads to the picture, unless `files` has another name.
            let picture = members["picture"]?.string.map {
                ($0.utf8.split(separator: 0x2f).last ?? []).text
            }
            let files = members["files"]?.members ?? [:]
            func link(_ path: String?, _ file: String?) -> Link? {
                guard let path, let place = Place(path: path.bytes) else { return nil }
                return Link(place, to: key, file: file.flatMap { Name($0)?.text })
            }
            let removed = (members["removed"]?.elements ?? []).compactMap { one -> RemovedLink? in
                guard let went = one["time"]?.moment, let link = link(one["link"]?.string, one["file"]?.string)
                else { return nil }
                return RemovedLink(link, went: went)
            }
            let links = (members["links"]?.elements ?? []).compactMap { one in
                one.string.flatMap { link($0, files[$0]?.string ?? picture) }
            }
            return (removed.map(\.link) + links).map { HistoryLine(.came, $0, id: id, at: added) }
                + removed.sorted { $0.went < $1.went }.map { HistoryLine(.went, $0.link, at: $0.went) }
        }
    }
}
