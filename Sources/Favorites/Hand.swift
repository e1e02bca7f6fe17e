package import Apod
package import Archive
internal import Files

/// Does in the favorites folder what a person would do there. Whoever keeps the catalog takes note of it, as of
/// everything that happens there.
package struct Hand {
    private let root: Folder
    private let catalog: Catalog
    private let folders: FolderSync
    private let favorites: [Day: Favorite]

    package init(root: String, catalog: Catalog) throws(ArchiveError) {
        self.root = try ArchiveError.wrapping { () throws(DiskError) in try Folder.open(root) }
        self.catalog = catalog
        folders = FolderSync(root: self.root)
        let favorites = try ArchiveError.wrapping { () throws(CatalogError) in try catalog.favorites() }
        self.favorites = Dictionary(favorites.map { ($0.day, $0) }) { first, _ in first }
    }

    /// Makes a link to a day's picture, or one that asks for the day. nil if there is a link already.
    package func add(_ day: Day) throws(ArchiveError) -> Place? {
        if favorites[day]?.links.contains(where: { leads($0, to: day) }) == true { return nil }
        return try link(day, at: try usualPlace(of: day))
    }

    /// Takes the links to a day away. What else may be in their places stays.
    package func remove(_ day: Day) throws(ArchiveError) -> [Place] {
        let links = (favorites[day]?.links ?? []).filter { leads($0, to: day) }
        try ArchiveError.wrapping { () throws(DiskError) in
            for place in links { try root.favorites(place.album)?.remove(place.name) }
        }
        return links
    }

    /// Returns when the links that were made and taken away are so on the disk, too.
    package func sync(_ places: [Place]) throws(ArchiveError) {
        try ArchiveError.wrapping { () throws(DiskError) in try folders.sync(Set(places.map(\.album))) }
    }

    private func leads(_ place: Place, to day: Day) -> Bool {
        guard let folder = try? root.favorites(place.album) else { return false }
        let recognition = Recognition(root: root, catalog: catalog)
        switch recognition.look(at: place.name, in: folder, depth: place.album.depth) {
        case .own(let found, _), .meaning(.day(let found, _)): return found == day
        case .file(mayBeCopy: true): return isCopy(place.name, in: folder, of: day, recognition)
        default: return false
        }
    }

    /// Of a picture that is in its place, and not the only one there is.
    private func isCopy(_ name: Name, in folder: Folder, of day: Day, _ recognition: Recognition) -> Bool {
        guard let file = try? folder.file(name), let original = try? recognition.original(of: file, named: name),
            original.day == day, let month = try? Tree.existingFolder(of: day, in: root)
        else { return false }
        return (try? month.facts(of: original.name)?.bytes) == (try? file.facts().bytes)
    }

    package var hasFavorites: Bool { !favorites.isEmpty }
    package func isFavorite(_ day: Day) -> Bool { favorites[day] != nil }
    package func hasVanished(_ day: Day) -> Bool { favorites[day].map { !missing($0).isEmpty } ?? false }

    package func isHere(_ day: Day) -> Bool { (try? view(of: day)) != nil }

    package var folderIsMissing: Bool { (try? root.facts(of: Tree.favorites)?.isFolder) != true }

    /// The favorites that can be made whole by `restore`.
    package var incomplete: [Day] { favorites.values.filter { !missing($0).isEmpty }.map(\.day).sorted() }

    /// The links that are not there, whether somebody has noticed or not.
    private func missing(_ favorite: Favorite) -> [Place] {
        (favorite.links + favorite.vanished).filter { place in
            (try? root.favorites(place.album)?.facts(of: place.name)?.kind) == nil
        }
    }

    /// Makes the links again that a favorite had, or had last. Empty if it has them, or never was one.
    package func restore(_ day: Day) throws(ArchiveError) -> [Place] {
        var made: [Place] = []
        let places = if let favorite = favorites[day] { missing(favorite) } else { try lastPlaces(of: day) }
        for place in places { made.append(try link(day, at: place)) }
        return made
    }

    private func lastPlaces(of day: Day) throws(ArchiveError) -> [Place] {
        let history = try ArchiveError.wrapping { () throws(CatalogError) in try catalog.history() }
        guard let last = history.first(where: { $0.day == day && $0.kind != .added }) else { return [] }
        if let place = last.place { return [place] }
        return [try usualPlace(of: day)]
    }

    private func usualPlace(of day: Day) throws(ArchiveError) -> Place {
        Place(Name(try view(of: day) ?? "\(day)")!, in: .top)
    }

    /// What there is of a day to look at.
    private func view(of day: Day) throws(ArchiveError) -> String? {
        try ArchiveError.wrapping { () throws(CatalogError) in try catalog.standing(of: day)?.whole?.view }
    }

    private func link(_ day: Day, at place: Place) throws(ArchiveError) -> Place {
        let view = try view(of: day)
        return try ArchiveError.wrapping { () throws(DiskError) in
            var folder = try root.makeFolder(Tree.favorites, shared: true)
            for name in place.album.names { folder = try folder.makeFolder(name, shared: true) }
            let target = view.map { Target.own($0, of: day, in: place.album.depth) } ?? "\(day)"
            let name = try folder.freeName(like: place.name)
            try folder.makeLink(name, to: target)
            return Place(name, in: place.album)
        }
    }
}

extension Folder {
    /// The name, or one with a number before it where something else has it.
    fileprivate func freeName(like name: Name) throws(DiskError) -> Name {
        var free = name
        var number = 2
        while try facts(of: free) != nil {
            free = Name("\(number) ".utf8 + name.bytes.suffix(240))!
            number += 1
        }
        return free
    }
}
