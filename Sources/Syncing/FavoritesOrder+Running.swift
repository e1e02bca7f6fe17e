package import Apod
package import Favorites
import Files
package import Store

extension FavoritesOrder {
    /// Returns the links made or removed. `lists`: those that are asked for.
    package func run(
        by editor: FavoritesEditor, lists: [PictureList] = [], _ tell: (Event) -> Void
    ) throws -> Set<Place> {
        if let failure = try editor.failure(restoring: action == .restore) {
            tell(.complained(failure.words))
            return []
        }
        let touched =
            switch action {
            case .add: try add(by: editor, Set(lists.map(\.name)), tell)
            case .remove: try remove(by: editor, tell)
            case .restore, .undo: try restore(by: editor, tell)
            }
        try editor.sync(Set(touched))
        return Set(touched)
    }

    private func add(
        by editor: FavoritesEditor, _ lists: Set<ListName>, _ tell: (Event) -> Void
    ) throws -> [Place] {
        var made: [Place] = []
        let album = album.map { Album($0) } ?? .top
        guard editor.hasRoom(for: album) else {
            tell(.complained("there are too many albums for another one"))
            return []
        }
        for key in keys.sorted() {
            if editor.isToCome(key) {
                tell(.complained("\(key) has not come yet"))
                continue
            }
            let isHere = editor.isHere(key)
            // Nobody can ask for a single item of a list, but for a deleted one, whose record is here.
            if !isHere, let list = key.list, !lists.contains(list) || !editor.isDeleted(key) {
                tell(.complained("\(key) is not here"))
                continue
            }
            if let place = try editor.add(key, to: album) {
                made.append(place)
                tell(.changed(.made, key, link: "\(place)"))
            } else {
                tell(.said("\(key) is a favorite already"))
            }
            if !isHere { tell(.said("\(key) is not here yet; the service or the next sync asks for it")) }
        }
        return made
    }

    private func remove(by editor: FavoritesEditor, _ tell: (Event) -> Void) throws -> [Place] {
        var (editor, touched) = (editor, [Place]())
        try editor.look()
        for key in keys.sorted() {
            let album = album.map { Album($0) }
            if let album, let place = try editor.keep(key, without: album) {
                tell(.changed(.made, key, link: "\(place)"))
                touched.append(place)
            }
            let places = try editor.remove(key, from: album)
            for place in places { tell(.changed(.removed, key, link: "\(place)")) }
            touched += places
            let folder = ([Tree.favorites] + [self.album?.description].compactMap(\.self)).joined(separator: "/")
            if places.isEmpty { tell(.complained("\(key) has no link in \(folder)")) }
        }
        return touched
    }

    /// After a failure, the other links are tried all the same. Throws if none could be made.
    private func restore(by editor: FavoritesEditor, _ tell: (Event) -> Void) throws -> [Place] {
        var made: [Place] = []
        var failures: [Album: (why: Problem, links: Int)] = [:]
        var told: Set<Key> = []
        let missing = editor.missing(self)
        if missing.isEmpty, try editor.makeFolder() { tell(.said("made \(Tree.favorites)")) }
        for link in missing {
            do {
                let (place, wasThere) = try editor.restore(link)
                if wasThere { continue }
                made.append(place)
                tell(.changed(.made, link.key, link: "\(place)"))
            } catch {
                failures[link.place.album, default: (why: error.problem, links: 0)].links += 1
            }
            told.insert(link.key)
        }
        let inOrder = failures.sorted { $0.key.path.text < $1.key.path.text }.map(\.value)
        if made.isEmpty, let failure = inOrder.first { throw failure.why }
        for failure in inOrder {
            let links = failure.links == 1 ? "1 link is" : "\(failure.links) links are"
            tell(.complained("\(links) not made again: \(failure.why)"))
        }
        tellOfOthers(beside: told, areThere: Set(missing.map(\.key)), editor, tell)
        return made
    }

    /// Reports on the keys that are not in `told` yet. Their links may be there under other names.
    private func tellOfOthers(
        beside told: Set<Key>, areThere: Set<Key>, _ editor: FavoritesEditor, _ tell: (Event) -> Void
    ) {
        for key in keys.subtracting(told).sorted() {
            let isThere = areThere.contains(key) || editor.isFavorite(key)
            tell(isThere ? .said("\(key) has its links") : .complained("\(key) was no favorite within a year"))
        }
        guard told.isEmpty, keys.isEmpty else { return }
        if since != nil {
            let words = areThere.isEmpty ? "no link has gone since then" : "all links that went since then are there"
            return tell(.said(words))
        }
        let advice = "`apod-mirror favorites restore --since 1h` brings back what went in the last hour"
        tell(.said("no link is missing; \(advice)"))
    }
}
