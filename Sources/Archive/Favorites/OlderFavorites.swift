internal import Apod
internal import Files

/// What favorites.json says, as lines of a history: of a mirror whose history has none that tell of links, as an older
/// program or a backup leaves it.
enum OlderFavorites {
    private static let longest = 256 << 20

    /// `now`: the time to assume where the file tells none.
    static func lines(in root: Folder, at now: Int) throws(StorageError) -> [HistoryLine] {
        // A folder or a link of this name is a person's.
        guard try root.kind(of: Tree.favoritesList) == .regular,
            let bytes = try root.file(Tree.favoritesList)?.contents(atMost: longest),
            let items = (try? JSONText(bytes))?.elements
        else { return [] }
        return items.compactMap { favorite($0, at: now) }.flatMap { favorite in
            favorite.lines { place in
                (try? root.below(Array("\(Tree.favorites)/".utf8) + place.path)?.facts().isRegular) != true
            }
        }
    }

    private static func favorite(_ text: JSONText, at now: Int) -> Favorite? {
        guard let members = text.members, let subject = Subject(members) else { return nil }
        let links = (members["links"]?.elements ?? []).compactMap { $0.string.flatMap { Place(path: Array($0.utf8)) } }
        // A link leads to the picture, unless `files` has another name.
        let picture = fileName(members["picture"]?.string?.split(separator: "/").last.map(String.init))
        let others = members["files"]?.members ?? [:]
        var files: [Place: String] = [:]
        for place in links { files[place] = fileName(others["\(place)"]?.string) ?? picture }
        var removed = removed(members, of: subject)
        let ended = members["ended"]?.moment ?? now
        // Its links are not known: one that names it stands for them.
        if links.isEmpty, removed.isEmpty {
            removed = [RemovedLink(Link(Place(Name(subject.front)!, in: .top), to: subject), went: ended)]
        }
        return Favorite(
            subject: subject, added: members["added"]?.moment ?? (links.isEmpty ? ended : now), links: links,
            removed: removed,
            files: files)
    }

    private static func fileName(_ text: String?) -> String? { text.flatMap { Name($0)?.text } }

    private static func removed(_ members: [String: JSONText], of subject: Subject) -> [RemovedLink] {
        (members["removed"]?.elements ?? []).compactMap { one in
            guard let place = (one["link"]?.string).flatMap({ Place(path: Array($0.utf8)) }),
                let moment = one["time"]?.moment
            else { return nil }
            return RemovedLink(Link(place, to: subject, file: fileName(one["file"]?.string)), went: moment)
        }
    }
}

extension Favorite {
    /// The lines that make it.
    func lines(isLink: (Place) -> Bool) -> [HistoryLine] {
        let gone = removed.sorted { $0.went < $1.went }
        return gone.map { HistoryLine(.came, $0.link, at: added) }
            + links.map { HistoryLine(.came, Link($0, to: subject, file: files[$0]), at: added, isLink: isLink($0)) }
            + gone.map { HistoryLine(.went, $0.link, at: $0.went) }
    }
}
