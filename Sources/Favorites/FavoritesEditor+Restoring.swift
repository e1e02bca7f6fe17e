package import Apod
internal import Archive
package import Catalog
package import Files

/// Which links are to be made again.
package enum Restoration: Sendable, Equatable {
    /// Those that the catalog knows to be there, as when the folder was lost.
    case known
    /// All that went since then, in seconds since 1970, and those.
    case since(Int)
    /// All that there were to some days within a year.
    case days(Set<Day>)
}

extension FavoritesEditor {
    /// The links that are not in the folder.
    package func missing(_ restoration: Restoration) throws(StorageError) -> [Link] {
        var known = try catalog.links().filter { !isTaken($0.place) }
        var gone: [RemovedLink] = []
        switch restoration {
        case .known: break
        case .since(let moment): gone = try catalog.removedLinks(since: moment)
        case .days(let days):
            gone = try catalog.removedLinks().filter { days.contains($0.link.day) }
            // With the folder, all come back that were lost with it.
            if lack == nil { known.removeAll { !days.contains($0.day) } }
        }
        return known + gone.map(\.link).filter { !isThere($0, at: $0.place) }
    }

    /// Makes a link again as it was. Where something else has its name, it gets a number before it. Returns where it is,
    /// and whether it was there already.
    package func restore(_ link: Link) throws(StorageError) -> (place: Place, wasThere: Bool) {
        try make(link) { isThere(link, at: $0) }
    }

    private func isThere(_ link: Link, at place: Place) -> Bool {
        guard let there = self.link(at: place), there.day == link.day else { return false }
        if there.file == link.file { return true }
        guard let view = try? view(of: link.day) else { return false }
        return there.file ?? view == link.file ?? view
    }
}
