package import Apod
package import Archive
internal import Files
import Glibc

/// Which links are to be made again.
package enum Restoration: Sendable, Equatable {
    /// Those that vanished.
    case vanished
    /// All that went since then, in seconds since 1970, whoever meant that.
    case since(Int)
    /// All that there ever were to some days.
    case days(Set<Day>)
}

extension Hand {
    /// The links that are not in the folder, as far as is known.
    package func missing(_ restoration: Restoration) throws(ArchiveError) -> [Link] {
        let (known, gone) = try ArchiveError.wrapping { () throws(CatalogError) in
            let gone =
                switch restoration {
                case .vanished: try catalog.links(.vanished)
                case .since(let moment): try catalog.links(.vanished, .removed, since: moment)
                case .days: try catalog.links(.vanished, .removed)
                }
            return (try catalog.links(), gone)
        }
        // Of those that are known to be there, the folder may have gone.
        let missing = known.filter { !isTaken($0.place) } + gone.filter { !isThere($0, at: $0.place) }
        guard case .days(let days) = restoration else { return missing }
        let unknown = days.subtracting((known + gone).map(\.day)).sorted()
        return try missing.filter { days.contains($0.day) } + lastLinks(of: unknown)
    }

    func isTaken(_ place: Place) -> Bool {
        (try? root.favorites(place.album)?.facts(of: place.name)?.kind) != nil
    }

    /// Of days of which only the history knows.
    private func lastLinks(of days: [Day]) throws(ArchiveError) -> [Link] {
        if days.isEmpty { return [] }
        let history = try ArchiveError.wrapping { () throws(CatalogError) in try catalog.history() }
        var links: [Link] = []
        for day in days {
            guard let last = history.first(where: { $0.day == day && $0.kind != .added }) else { continue }
            let place = if let place = last.place { place } else { try usualPlace(of: day) }
            links.append(Link(place, to: day))
        }
        return links
    }

    /// Makes a link again as it was. Where something else has its name, it gets a number before it. Returns where it is,
    /// and whether it was there already.
    package func restore(_ link: Link) throws(ArchiveError) -> (place: Place, wasThere: Bool) {
        try make(link) { isThere(link, at: $0) }
    }

    private func isThere(_ link: Link, at place: Place) -> Bool {
        guard case .day(link.day, let file)? = meaning(of: place) else { return false }
        if file == link.file { return true }
        guard let view = try? view(of: link.day) else { return false }
        return file ?? view == link.file ?? view
    }

    func make(
        _ link: Link, unless isThere: (Place) -> Bool
    ) throws(ArchiveError) -> (place: Place, wasThere: Bool) {
        let file = if let file = link.file { file } else { try view(of: link.day) }
        let album = link.place.album
        let target = file.map { Target.own($0, of: link.day, in: album.depth) } ?? "\(link.day)"
        return try ArchiveError.wrapping { () throws(DiskError) in
            var folder = try root.makeFolder(Tree.favorites, shared: true)
            for name in album.names { folder = try folder.makeFolder(name, shared: true) }
            var number = 1
            while true {
                let name = link.place.name.numbered(number)
                let place = Place(name, in: album)
                if try folder.facts(of: name) == nil, try folder.makeNewLink(name, to: target) { return (place, false) }
                if isThere(place) { return (place, true) }
                number += 1
            }
        }
    }
}

extension Name {
    /// The same for 1.
    func numbered(_ number: Int) -> Name {
        number == 1 ? self : Name("\(number) ".utf8 + bytes.suffix(240))!
    }
}

extension Folder {
    /// Returns false if somebody was quicker.
    fileprivate func makeNewLink(_ name: Name, to target: String) throws(DiskError) -> Bool {
        do throws(DiskError) {
            try makeLink(name, to: target)
            return true
        } catch {
            guard error.code == EEXIST else { throw error }
            return false
        }
    }
}
