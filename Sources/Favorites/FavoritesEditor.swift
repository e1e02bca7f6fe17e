package import Apod
internal import Archive
package import Catalog
package import Files
import Glibc
internal import Watching

/// Does in the favorites folder what a person would do there: it makes links and takes them away. Whoever keeps the catalog
/// sees that, as everything that happens there.
package struct FavoritesEditor {
    let root: Folder
    let catalog: Catalog
    private let resolver: LinkResolver
    private let folders: FolderFlush
    private let favorites: Set<Day>

    package init(root: String, catalog: Catalog) throws(StorageError) {
        self.root = try Folder.open(root)
        self.catalog = catalog
        resolver = LinkResolver(root: self.root, catalog: catalog)
        folders = FolderFlush(root: self.root)
        favorites = try catalog.favoriteDays()
    }

    /// Makes a link to a day's picture, or one that asks for the day. nil if there is a link already.
    package func add(_ day: Day) throws(StorageError) -> Place? {
        if !links(to: day).isEmpty { return nil }
        let name = Name(try view(of: day) ?? "\(day)")!
        return try make(Link(Place(name, in: .top), to: day, file: try view(of: day))) { _ in false }.place
    }

    /// Takes the links to a day away, also those that were found though nobody has taken note of them. What else may be in
    /// their places stays.
    package func remove(_ day: Day, found: [Place]) throws(StorageError) -> [Place] {
        let known = links(to: day)
        let places = known + found.filter { !known.contains($0) && leads($0, to: day) }
        for place in places { try remove(at: place) }
        return places
    }

    /// Takes one link away, and returns to which day it led; nil for what leads to none, which stays.
    package func remove(_ place: Place) throws(StorageError) -> Day? {
        guard let day = link(at: place)?.day else { return nil }
        try remove(at: place)
        return day
    }

    private func remove(at place: Place) throws(StorageError) { try root.favorites(place.album)?.remove(place.name) }

    /// All links to these days that are in the folder now, also those of which nobody has taken note yet. One look at
    /// everything.
    package func findLinks(to days: Set<Day>) -> [Day: [Place]] {
        var places: [Day: [Place]] = [:]
        // What cannot be read holds up nothing else.
        try? FolderListing(resolver).run { (found, _) throws(StorageError) in
            guard case .thing(let sighting) = found, sighting.isLink, let day = sighting.day, days.contains(day) else {
                return
            }
            places[day, default: []].append(sighting.place)
        }
        return places
    }

    /// The links to a day that are there now, of those that the catalog knows.
    package func links(to day: Day) -> [Place] {
        ((try? catalog.links(to: [day])) ?? []).map(\.link.place).filter { leads($0, to: day) }
    }

    /// Returns when the links that were made and taken away are so on the disk, too.
    package func sync(_ places: Set<Place>) throws(StorageError) {
        if let failure = folders.sync(Set(places.map(\.album))).values.first { throw failure }
    }

    private func leads(_ place: Place, to day: Day) -> Bool { link(at: place)?.day == day }

    /// What something in the folder leads to, or is a copy of.
    func link(at place: Place) -> Link? {
        guard let folder = (try? root.favorites(place.album)) ?? nil else { return nil }
        let sighting = resolver.look(at: place, in: folder)
        switch sighting.finding {
        case .day(let day, let file): return Link(place, to: day, file: file)
        case .copy: return copy(place, in: folder)
        default: return nil
        }
    }

    /// Of a picture that is whole in its place, and so not the only one there is.
    private func copy(_ place: Place, in folder: Folder) -> Link? {
        guard let file = try? folder.file(place.name),
            let original = try? resolver.original(of: file, named: place.name),
            (try? resolver.isWhole(original)) == true
        else { return nil }
        return Link(place, to: original.day, file: original.name)
    }

    package var hasFavorites: Bool { !favorites.isEmpty }
    package func isFavorite(_ day: Day) -> Bool { favorites.contains(day) }

    /// The upstream was asked, and has no such day.
    package func isAbsent(_ day: Day) -> Bool { (try? catalog.status(of: day))?.state == .absent }

    package func isHere(_ day: Day) -> Bool { (try? view(of: day)) != nil }

    package var lack: FavoritesLack? { FavoritesLack(in: root) }
    package func words(for lack: FavoritesLack) -> String { lack.words(in: root.path, hasFavorites: hasFavorites) }

    /// What there is of a day to look at.
    func view(of day: Day) throws(StorageError) -> String? {
        try catalog.status(of: day)?.whole?.view
    }

    /// What is in a folder that may not be read is not known to be gone.
    func isTaken(_ place: Place) -> Bool {
        do throws(StorageError) {
            return try root.favorites(place.album)?.kind(of: place.name) != nil
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
        let folder = try root.makeFavorites(album)
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
