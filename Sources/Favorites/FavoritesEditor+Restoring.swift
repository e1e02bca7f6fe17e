package import Apod
internal import Archive
package import Catalog
package import Files

/// Which links are to be made again.
package enum Restoration: Sendable, Equatable {
    /// Those that vanished.
    case vanished
    /// All that went since then, in seconds since 1970, whoever meant that.
    case since(Int)
    /// All that there ever were to some days.
    case days(Set<Day>)
}

extension FavoritesEditor {
    /// The links that are not in the folder, as far as is known.
    package func missing(_ restoration: Restoration) throws(StorageError) -> [Link] {
        let known = try catalog.links()
        let gone =
            switch restoration {
            case .vanished: try catalog.links(.vanished)
            case .since(let moment): try catalog.links(.vanished, .removed, since: moment)
            case .days: try catalog.links(.vanished, .removed)
            }
        // Of those that are known to be there, the folder may have gone.
        let missing = known.filter { !isTaken($0.place) } + gone.filter { !isThere($0, at: $0.place) }
        guard case .days(let days) = restoration else { return missing }
        let unknown = days.subtracting((known + gone).map(\.day)).sorted()
        return try missing.filter { days.contains($0.day) } + lastLinks(of: unknown)
    }

    /// Of days of which only the history knows.
    private func lastLinks(of days: [Day]) throws(StorageError) -> [Link] {
        if days.isEmpty { return [] }
        let history = try catalog.history()
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
    package func restore(_ link: Link) throws(StorageError) -> (place: Place, wasThere: Bool) {
        try make(link) { isThere(link, at: $0) }
    }

    /// Whether a link is there again, by its own name or by another.
    package func isRestored(_ link: Link) -> Bool {
        links(to: link.day).contains { link.place.isRestored(at: $0) && isThere(link, at: $0) }
    }

    private func isThere(_ link: Link, at place: Place) -> Bool {
        guard case .day(link.day, let file, _)? = meaning(of: place) else { return false }
        if file == link.file { return true }
        guard let view = try? view(of: link.day) else { return false }
        return file ?? view == link.file ?? view
    }
}
