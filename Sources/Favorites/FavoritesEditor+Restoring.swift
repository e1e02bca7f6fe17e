package import Apod
package import Archive
package import Files

/// The links that `favorites restore` makes again.
package enum Restoration: Sendable, Equatable {
    /// The links that the history counts as present, for a folder that was lost.
    case known
    /// The links that went since a moment (in seconds since 1970), and the `known` ones.
    case since(Int)
    /// All links to these days within the last year.
    case days(Set<Day>)
    /// Of each of these days, the links that went last, together.
    case lastOf(Set<Day>)
}

extension FavoritesEditor {
    /// Returns the links of a restoration that are not in the folder.
    package func missing(_ restoration: Restoration) -> [Link] {
        var known = log.known.links(to: log.known.days).map(\.link).filter { !isTaken($0.place) }
        var gone: [RemovedLink] = []
        switch restoration {
        case .known: break
        case .since(let moment): gone = log.known.removedLinks(since: moment)
        case .days(let days):
            gone = log.known.removedLinks().filter { days.contains($0.link.day) }
            // A lost folder gets all its links back: the others would end in a new folder without them.
            if lack == nil { known.removeAll { !days.contains($0.day) } }
        case .lastOf(let days):
            known.removeAll { !days.contains($0.day) }
            gone = log.known.removedLinks().filter { days.contains($0.link.day) }
            let last = Dictionary(gone.map { ($0.link.day, $0.went) }, uniquingKeysWith: max)
            gone.removeAll { $0.went < last[$0.link.day]! - Self.together }
        }
        return known + gone.map(\.link).filter { !isThere($0, at: $0.place) }
    }

    /// Links of one deletion are not seen to go in the same second.
    private static let together = 2

    /// Makes a link again. Where something else has its name, the link gets a number in front. Returns its place, and
    /// whether it was there already.
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
