package import Apod
internal import Archive
package import Catalog
package import Files
import Glibc
internal import Watching

/// Does in the favorites folder what a person would do there. Whoever keeps the catalog takes note of it, as of
/// everything that happens there.
package struct FavoritesEditor {
    let root: Folder
    let catalog: Catalog
    private let resolver: LinkResolver
    private let folders: FolderFlush
    private let own: OwnFolders
    private let favorites: [Day: Favorite]

    package init(root: String, catalog: Catalog) throws(StorageError) {
        self.root = try Folder.open(root)
        self.catalog = catalog
        resolver = LinkResolver(root: self.root, catalog: catalog)
        folders = FolderFlush(root: self.root)
        own = OwnFolders(of: self.root)
        let favorites = try catalog.favorites()
        self.favorites = Dictionary(favorites.map { ($0.day, $0) }) { first, _ in first }
    }

    /// Makes a link to a day's picture, or one that asks for the day. nil if there is a link already, or was when its
    /// disk was last there.
    package func add(_ day: Day) throws(StorageError) -> Place? {
        if favorites[day]?.links.contains(where: { leads($0, to: day) }) == true || !absences(of: day).isEmpty {
            return nil
        }
        return try link(day, at: try usualPlace(of: day))
    }

    /// Takes the links to a day away, also those that were found though nobody has taken note of them; `willRemove` is
    /// told which before. What else may be in their places stays, and so do those on disks that are away.
    package func remove(
        _ day: Day, found: [Place], _ willRemove: ([Place]) -> Void = { _ in }
    ) throws(StorageError) -> [Place] {
        let known = knownLinks(to: day)
        let places = (known + found.filter { !known.contains($0) }).filter { leads($0, to: day) }
        willRemove(places)
        for place in places { try remove(at: place) }
        return places
    }

    /// Takes one link away, and returns to which day it led; nil for what leads to none, which stays.
    package func remove(_ place: Place, _ willRemove: ([Place]) -> Void = { _ in }) throws(StorageError) -> Day? {
        guard let day = meaning(of: place)?.day else { return nil }
        willRemove([place])
        try remove(at: place)
        return day
    }

    private func remove(at place: Place) throws(StorageError) { try own.album(place.album)?.remove(place.name) }

    /// All links to these days that are in the folder now, also those of which nobody has taken note yet. One look at
    /// everything.
    package func findLinks(to days: Set<Day>) -> [Day: [Place]] {
        var places: [Day: [Place]] = [:]
        let walk = AlbumWalk(in: root)
        for case (let album, .success(let folder)) in walk {
            // What cannot be read holds up nothing else.
            try? walk.visit(folder) { (name, kind) throws(StorageError) in
                let place = Place(name, in: album)
                guard kind ?? .link == .link,
                    let day = resolver.look(at: place, in: folder, kind: kind).meaning?.day, days.contains(day)
                else {
                    return
                }
                places[day, default: []].append(place)
            }
        }
        return places
    }

    /// The links to a day that are there now, of those that the catalog knows.
    package func links(to day: Day) -> [Place] { knownLinks(to: day).filter { leads($0, to: day) } }

    /// Those that the catalog knows, wherever they lead.
    package func knownLinks(to day: Day) -> [Place] { favorites[day]?.links ?? [] }

    /// The links that were in some places at the beginning, as the catalog knows them, or knew them before they went.
    func links(at places: [Place]) throws(StorageError) -> [Link] {
        let places = Set(places)
        let known = try catalog.links() + catalog.links(.vanished)
        return known.filter { places.contains($0.place) && favorites[$0.day]?.links.contains($0.place) == true }
    }

    /// Why links to a day cannot be reached, as their disks are away.
    package func absences(of day: Day) -> [StorageError] {
        let albums = Set(favorites[day]?.links.map(\.album) ?? [])
        return albums.compactMap { album in
            do throws(StorageError) {
                _ = try own.album(album)
                return nil
            } catch {
                return error.isAway ? error : nil
            }
        }
    }

    /// Returns when the links that were made and taken away are so on the disk, too.
    package func sync(_ places: [Place]) throws(StorageError) {
        if let failure = folders.sync(Set(places.map(\.album))).values.first { throw failure }
    }

    private func leads(_ place: Place, to day: Day) -> Bool { meaning(of: place)?.day == day }

    /// What something in the folder leads to, or is a copy of.
    func meaning(of place: Place) -> Meaning? {
        guard let folder = try? own.album(place.album) else { return nil }
        let sighting = resolver.look(at: place, in: folder)
        return sighting.finding == .file(mayBeCopy: true) ? copy(place.name, in: folder) : sighting.meaning
    }

    /// Of a picture that is whole in its place, and so not the only one there is.
    private func copy(_ name: Name, in folder: Folder) -> Meaning? {
        guard let file = try? folder.file(name), let original = try? resolver.original(of: file, named: name),
            (try? resolver.isWhole(original)) == true
        else { return nil }
        return .day(original.day, file: original.name)
    }

    /// What is a copy of one of the day's files, though nobody has compared it yet.
    package func undecidedCopy(of day: Day) throws(StorageError) -> Place? {
        let sizes = Set(try catalog.status(of: day)?.stored?.files.map(\.bytes) ?? [])
        if sizes.isEmpty { return nil }
        return try catalog.places(of: LinkResolver.undecided).first { place in
            let facts = (try? own.album(place.album)?.facts(of: place.name)) ?? nil
            return facts.map { sizes.contains($0.bytes) } == true && meaning(of: place)?.day == day
        }
    }

    package var hasFavorites: Bool { !favorites.isEmpty }
    package func isFavorite(_ day: Day) -> Bool { favorites[day] != nil }
    package func hasVanished(_ day: Day) -> Bool { favorites[day].map { !missing($0).isEmpty } ?? false }

    /// The upstream was asked, and has no such day.
    package func isAbsent(_ day: Day) -> Bool { (try? catalog.status(of: day))?.state == .absent }

    package func isHere(_ day: Day) -> Bool { (try? view(of: day)) != nil }

    package var lack: FavoritesLack? { FavoritesLack(in: root) }
    package func words(for lack: FavoritesLack) -> String { lack.words(in: root.path, hasFavorites: hasFavorites) }

    /// The links that are not there, whether somebody has noticed or not.
    private func missing(_ favorite: Favorite) -> [Place] {
        (favorite.links + favorite.vanished).filter { !isTaken($0) }
    }

    func usualPlace(of day: Day) throws(StorageError) -> Place {
        Place(Name(try view(of: day) ?? "\(day)")!, in: .top)
    }

    /// What there is of a day to look at.
    func view(of day: Day) throws(StorageError) -> String? {
        try catalog.status(of: day)?.whole?.view
    }

    private func link(_ day: Day, at place: Place) throws(StorageError) -> Place {
        try make(Link(place, to: day, file: try view(of: day))) { _ in false }.place
    }

    /// What is on a disk that is away, or in a folder that may not be read, is not known to be gone.
    package func isTaken(_ place: Place) -> Bool {
        do throws(StorageError) {
            return try own.album(place.album)?.kind(of: place.name) != nil
        } catch {
            return !error.isNoFolder
        }
    }

    func make(
        _ link: Link, unless isThere: (Place) -> Bool
    ) throws(StorageError) -> (place: Place, wasThere: Bool) {
        let file = if let file = link.file { file } else { try view(of: link.day) }
        let album = link.place.album
        let target = file.map { LinkTarget.own($0, of: link.day, in: album.depth) } ?? "\(link.day)"
        let folder = try own.makeAlbum(album)
        let usual = link.place.name.withoutLauncher(leadingTo: file) ?? link.place.name
        var number = 1
        while true {
            let name = usual.numbered(number)
            let place = Place(name, in: album)
            if try folder.facts(of: name) == nil, try folder.makeNewLink(name, to: target) { return (place, false) }
            if isThere(place) { return (place, true) }
            number += 1
        }
    }
}

extension Folder {
    /// Returns false if somebody was quicker.
    fileprivate func makeNewLink(_ name: Name, to target: String) throws(StorageError) -> Bool {
        do throws(StorageError) {
            try makeLink(name, to: target)
            return true
        } catch {
            guard error.code == EEXIST else { throw error }
            return false
        }
    }
}
