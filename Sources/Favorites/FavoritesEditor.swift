package import Apod
import Files
import Glibc
package import Store

/// Makes and deletes links in the favorites folder, as a person would. It leaves the history to the `Keeper`, which finds
/// these changes like any other.
package struct FavoritesEditor {
    private let root: Folder
    private let catalog: Catalog
    private var known: KnownFavorites
    private let listing: Listing
    private let albums: AlbumSync

    /// A new album beside so many is refused: the web could make them without end, and each is watched.
    private static let mostAlbums = 100
    /// Links of one deletion are not seen to go in the same second.
    private static let together = 2

    package init(root: String, catalog: Catalog, favorites: FavoritesLog) throws {
        self.root = try Folder.open(root)
        (self.catalog, known) = (catalog, favorites.known)
        listing = Listing(root: self.root, catalog: catalog, favorites: favorites)
        albums = AlbumSync(root: self.root)
    }

    /// Looks for links that the history does not have yet.
    package mutating func look() throws { known = try listing.favoritesNow(withCopies: false) }

    /// Makes a link to a picture, or one that asks for the day. Returns nil if there is one already: in this album, or,
    /// for the top, anywhere.
    package func add(_ key: Key, to album: Album = .top) throws -> Place? {
        if links(to: key).contains(where: { album == .top || $0.album == album }) { return nil }
        return try link(key, in: album)
    }

    private func link(_ key: Key, in album: Album) throws -> Place {
        let name = Name(try view(of: key) ?? key.front)!
        return try make(Link(Place(name, in: album), to: key)) { _ in false }.place
    }

    /// Makes the favorites folder if it is missing and no link was in it. Returns whether it did.
    package func makeFolder() throws -> Bool {
        guard lack?.code == .folderMissing, known.isEmpty else { return false }
        _ = try root.makeFavorites(.top)
        return true
    }

    /// Makes a link at the top if all links to a key are in this album, so that it stays a favorite without them.
    package func keep(_ key: Key, without album: Album) throws -> Place? {
        let places = links(to: key)
        return places.isEmpty || places.contains { $0.album != album } ? nil : try link(key, in: .top)
    }

    /// Deletes the links to a key, all or those in an album. Anything else in their places stays.
    package func remove(_ key: Key, from album: Album? = nil) throws -> [Place] {
        let places = links(to: key).filter { album == nil || $0.album == album }
        for place in places { try root.favorites(place.album)?.remove(place.name) }
        return places
    }

    package func hasRoom(for album: Album) -> Bool {
        if (try? root.favorites(album)) != nil { return true }
        return (try? root.favorites(.top)?.albums().count) ?? 0 < Self.mostAlbums
    }

    /// The links to a key that are in the folder.
    private func links(to key: Key) -> [Place] {
        known.links(to: [key]).map(\.link.place).filter { link(at: $0)?.key == key }
    }

    /// Returns when the changes in these places are on the disk.
    package func sync(_ places: Set<Place>) throws { try albums.sync(Set(places.map(\.album))) }

    /// The key and file that a thing in the folder leads to or is a copy of.
    private func link(at place: Place) -> Link? {
        guard let folder = try? root.favorites(place.album) else { return nil }
        let sighting = listing.look(at: place, in: folder)
        switch sighting.finding {
        case .favorite(let key, let file): return Link(place, to: key, file: file)
        case .copy:
            let original = try? listing.wholeOriginal(ofCopy: place.name, in: folder)
            return original.map { Link(place, to: $0.key, file: $0.name) }
        default: return nil
        }
    }

    package func isFavorite(_ key: Key) -> Bool { known.isFavorite(key) }

    package func isToCome(_ key: Key) -> Bool { listing.isToCome(key) }

    package func isHere(_ key: Key) -> Bool { (try? view(of: key)) != nil }

    package func isDeleted(_ key: Key) -> Bool {
        (try? catalog.item(of: key))?.state == .pruned
    }

    /// Why no link can be made or deleted; nil if it can. In a new folder without the links of the other favorites, these
    /// would end: only `restoring` makes it, with them.
    package func failure(restoring: Bool) throws -> Problem? {
        guard let lack, lack.code != .folderMissing || !known.isEmpty && !restoring else { return nil }
        // An error of the system is told with what to do about it.
        if lack.isOfSystem { throw lack }
        return lack
    }

    private var lack: Problem? { Tree.favoritesLack(in: root.path) }

    /// The name of the picture, video or page; nil while there is none.
    private func view(of key: Key) throws -> String? {
        try catalog.item(of: key)?.whole?.view
    }

    /// Makes a link. Where something else has its name, it gets a number in front.
    private func make(_ link: Link, unless isThere: (Place) -> Bool) throws -> (place: Place, wasThere: Bool) {
        let file = if let file = link.file { file } else { try view(of: link.key) }
        let album = link.place.album
        let target =
            file.map { LinkTarget.own($0, of: link.key, in: album.depth) }
            ?? LinkTarget.asking(for: link.key, in: album.depth)
        let folder = try root.makeFavorites(album)
        var number = 1
        while true {
            let place = Place(link.place.name.numbered(number), in: album)
            do {
                try folder.makeLink(place.name, to: target)
                return (place, false)
            } catch {
                guard error.problem.errorNumber == EEXIST else { throw error }
            }
            if isThere(place) { return (place, true) }
            number += 1
        }
    }
}

extension FavoritesEditor {
    /// The links that an order brings back and that are not in the folder, each to what it leads to in this mirror: those that
    /// the history counts as present, as after the folder was lost, and those that went since a time, or led to the order's
    /// keys. To undo is to bring back those that went last, together.
    package func missing(_ order: FavoritesOrder) -> [Link] {
        var present = known.links(to: known.keys).map(\.link).filter { !isTaken($0.place) }.map(calledHere)
        var gone = known.removedLinks(since: order.since ?? .min)
            .map { RemovedLink(calledHere($0.link), went: $0.went) }
        if order.since == nil {
            gone.removeAll { !order.keys.contains($0.link.key) }
            // A lost folder gets all its links back: the others would end in a new folder without them.
            if order.action == .undo || !order.keys.isEmpty && lack == nil {
                present.removeAll { !order.keys.contains($0.key) }
            }
        }
        if order.action == .undo {
            let last = Dictionary(gone.map { ($0.link.key, $0.went) }, uniquingKeysWith: max)
            gone.removeAll { $0.went < last[$0.link.key]! - Self.together }
        }
        return present + gone.map(\.link).filter { !isThere($0, at: $0.place) }
    }

    /// Another mirror, whose favorites.json was read, may call an item otherwise.
    private func calledHere(_ link: Link) -> Link {
        guard let here = try? catalog.calledHere(link.key, id: known.id(of: link.key)) else { return link }
        return Link(link.place, to: here)
    }

    /// Makes a link again. Returns its place, and whether it was there already.
    package func restore(_ link: Link) throws -> (place: Place, wasThere: Bool) {
        try make(link) { isThere(link, at: $0) }
    }

    private func isThere(_ link: Link, at place: Place) -> Bool {
        guard let there = self.link(at: place), there.key == link.key else { return false }
        if there.file == link.file { return true }
        guard let view = try? view(of: link.key) else { return false }
        return there.file ?? view == link.file ?? view
    }

    /// True also in an album that cannot be read: a thing there is not known to be gone.
    private func isTaken(_ place: Place) -> Bool {
        do { return try root.favorites(place.album)?.kind(of: place.name) != nil } catch {
            return !error.problem.isNoFolder
        }
    }
}
