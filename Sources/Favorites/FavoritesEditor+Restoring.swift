package import Apod
package import Archive
internal import Catalog
package import Files

/// The links that `favorites restore` makes again.
package enum Restoration: Sendable, Equatable {
    /// The links that the history counts as present, for a folder that was lost.
    case known
    /// The links that went since a moment (in seconds since 1970), and the `known` ones.
    case since(Int)
    /// All links to these subjects within the last year.
    case subjects(Set<Subject>)
    /// Of each of these subjects, the links that went last, together.
    case lastOf(Set<Subject>)
}

extension FavoritesEditor {
    /// Returns the links of a restoration that are not in the folder, each to what it leads to in this mirror.
    package func missing(_ restoration: Restoration) -> [Link] {
        let all = log.known
        var known = all.links(to: all.subjects).map(\.link).filter { !isTaken($0.place) }.map(calledHere)
        func removed(since moment: Int = .min) -> [RemovedLink] {
            all.removedLinks(since: moment).map { RemovedLink(calledHere($0.link), went: $0.went) }
        }
        var gone: [RemovedLink] = []
        switch restoration {
        case .known: break
        case .since(let moment): gone = removed(since: moment)
        case .subjects(let subjects):
            gone = removed().filter { subjects.contains($0.link.subject) }
            // A lost folder gets all its links back: the others would end in a new folder without them.
            if lack == nil { known.removeAll { !subjects.contains($0.subject) } }
        case .lastOf(let subjects):
            known.removeAll { !subjects.contains($0.subject) }
            gone = removed().filter { subjects.contains($0.link.subject) }
            let last = Dictionary(gone.map { ($0.link.subject, $0.went) }, uniquingKeysWith: max)
            gone.removeAll { $0.went < last[$0.link.subject]! - Self.together }
        }
        return known + gone.map(\.link).filter { !isThere($0, at: $0.place) }
    }

    /// Another mirror, whose favorites.json was read, may call an item otherwise.
    private func calledHere(_ link: Link) -> Link {
        guard let here = try? catalog.calledHere(link.subject), here != link.subject else { return link }
        return Link(link.place, to: here)
    }

    /// Links of one deletion are not seen to go in the same second.
    private static let together = 2

    /// Makes a link again. Where something else has its name, the link gets a number in front. Returns its place, and
    /// whether it was there already.
    package func restore(_ link: Link) throws(StorageError) -> (place: Place, wasThere: Bool) {
        try make(link) { isThere(link, at: $0) }
    }

    private func isThere(_ link: Link, at place: Place) -> Bool {
        guard let there = self.link(at: place), there.subject == link.subject else { return false }
        if there.file == link.file { return true }
        guard let view = try? view(of: link.subject) else { return false }
        return there.file ?? view == link.file ?? view
    }
}
