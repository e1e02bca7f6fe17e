package import Apod
import Files

/// The favorites: the fold of the history's lines, a value. A day, or an item of another list, is a favorite as long as a
/// link to it is there.
package struct KnownFavorites: Sendable {
    /// How long links that went are remembered, in seconds.
    package static let memory = 365 * 86_400
    /// How long the picture of a favorite that ended is kept, in seconds.
    package static let grace = 90 * 86_400

    private struct Record {
        /// What its list calls an item, where that is known.
        var id: String?
        var since: Int
        /// nil while it is a favorite.
        var ended: Int?
        var links = KeyLinks()
        var removed: [Place: RemovedLink] = [:]

        /// Returns whether the link is new. `renamed`: since when the item was a favorite by another name.
        mutating func come(_ line: HistoryLine, id: String?, renamed: Int?, since came: Int) -> Bool {
            let place = line.link.place
            self.id = id
            if let renamed { since = renamed }
            // A favorite that comes back within a year keeps its date.
            if let ended, ended <= line.moment - KnownFavorites.memory { since = line.moment }
            ended = nil
            removed[place] = nil
            let before = links[place]
            links.enter(
                KeyLinks.Held(
                    file: links.shared(line.link.file), came: before?.came ?? came,
                    said: line.was?.hashValue ?? before?.said, isLink: line.isLink),
                at: place)
            return before == nil
        }
    }

    private var records: [Key: Record] = [:]
    /// What the link in a place leads to.
    private var keyAt: [Place: Key] = [:]
    /// A place has further ones for a moment when its link leads elsewhere, the newest last.
    private var furtherAt: [Place: [Key]] = [:]

    package init() {}

    package mutating func enter(_ line: HistoryLine) {
        let (link, moment) = (line.link, line.moment)
        switch line.change {
        case .came: come(line, since: moment)
        case .moved:
            let before = line.from.flatMap { records[link.key]?.links[$0] }
            come(line, since: before?.came ?? moment)
            if let from = line.from, from != link.place { _ = leave(link.key, from) }
        case .went:
            guard leave(link.key, link.place) else { return }
            records[link.key]?.removed[link.place] = RemovedLink(link, went: moment)
            if records[link.key]?.links.isEmpty == true { records[link.key]?.ended = moment }
        }
    }

    private mutating func come(_ line: HistoryLine, since came: Int) {
        let (place, key) = (line.link.place, line.link.key)
        let id = line.id ?? records[key]?.id
        let renamed = id.flatMap { leaveRenamed(key, $0, place, at: line.moment) }
        let isNew = records[key, default: Record(since: line.moment)].come(line, id: id, renamed: renamed, since: came)
        guard isNew, let other = keyAt.updateValue(key, forKey: place) else { return }
        keyAt[place] = other
        furtherAt[place, default: []].append(key)
    }

    /// Takes away a link to the same item by the name that another mirror had chosen: it is led to the one that the item
    /// has here. Returns since when the item was a favorite by that name.
    private mutating func leaveRenamed(_ key: Key, _ id: String, _ place: Place, at moment: Int) -> Int? {
        let other = keys(at: place).first { $0 != key && $0.list == key.list && records[$0]?.id == id }
        guard let other, leave(other, place), let record = records[other] else { return nil }
        if record.links.isEmpty { records[other] = nil }
        return record.since
    }

    /// Returns whether the link was there.
    private mutating func leave(_ key: Key, _ place: Place) -> Bool {
        guard records[key]?.links.remove(at: place) == true else { return false }
        let left = keys(at: place).filter { $0 != key }
        keyAt[place] = left.first
        furtherAt[place] = left.count > 1 ? Array(left.dropFirst()) : nil
        return true
    }

    /// The oldest first.
    private func keys(at place: Place) -> [Key] {
        keyAt[place].map { [$0] + (furtherAt[place] ?? []) } ?? []
    }

    private func link(to key: Key, at place: Place) -> KnownLink? {
        guard let held = records[key]?.links[place] else { return nil }
        return KnownLink(Link(place, to: key, file: held.file), isLink: held.isLink, came: held.came, said: held.said)
    }

    /// Forgets links and favorites that ended before a moment.
    mutating func forget(before limit: Int) {
        for (key, record) in records {
            if let ended = record.ended, ended < limit {
                records[key] = nil
            } else if record.removed.values.contains(where: { $0.went < limit }) {
                records[key]?.removed = record.removed.filter { $0.value.went >= limit }
            }
        }
    }
}

extension KnownFavorites {
    package var keys: Set<Key> { Set(records.lazy.filter { $0.value.ended == nil }.map(\.key)) }

    /// Those that ended as favorites within a year.
    package var ended: Set<Key> { Set(records.lazy.filter { $0.value.ended != nil }.map(\.key)) }

    /// The days that are favorites.
    package var days: Set<Day> { keys.days }

    package func isFavorite(_ key: Key) -> Bool { records[key].map { $0.ended == nil } ?? false }

    /// Whether it is a favorite, or was one within a year.
    package func has(_ key: Key) -> Bool { records[key] != nil }

    package var isEmpty: Bool { keyAt.isEmpty }

    /// Whether nothing deletes its pictures: it is a favorite, or was one within `grace`. `now`: what the clock says,
    /// as far as it is believed.
    package func isProtected(_ key: Key, at now: Int) -> Bool {
        records[key].map { $0.ended.map { $0 > now - Self.grace } ?? true } ?? false
    }

    /// The keys of which that is true.
    package func protected(at now: Int) -> Set<Key> { Set(records.keys.filter { isProtected($0, at: now) }) }

    /// What its list calls an item, where that is known.
    package func id(of key: Key) -> String? { records[key]?.id }

    /// The places that have links.
    package var places: some Sequence<Place> { keyAt.keys }

    package func links(at place: Place) -> [KnownLink] {
        keys(at: place).compactMap { link(to: $0, at: place) }
    }

    /// Sorted by key and place.
    package func links(to keys: some Sequence<Key>) -> [KnownLink] {
        keys.sorted().flatMap { key in
            (records[key]?.links.places ?? []).sorted().compactMap { link(to: key, at: $0) }
        }
    }

    /// The links that went at a moment or later, sorted by key and place.
    package func removedLinks(since moment: Int = .min) -> [RemovedLink] {
        let gone = records.values.lazy.flatMap(\.removed.values).filter { $0.went >= moment }
        return gone.sorted { ($0.link.key, $0.link.place) < ($1.link.key, $1.link.place) }
    }

    /// The last links that went together within a week, each within a minute of the next; nil if they are few. Links that
    /// are back do not count.
    package func loss(at now: Int) -> LinkLoss? {
        let moments = removedLinks(since: now - 7 * 86_400).map(\.went).sorted(by: >)
        let apart = zip(moments, moments.dropFirst()).enumerated().first { $1.0 - $1.1 > 60 }
        let together = moments.prefix(apart.map { $0.offset + 1 } ?? moments.count)
        return together.count > 3 ? LinkLoss(links: together.count, since: together.last!) : nil
    }

    /// What is known of a key, without its title and picture; nil for one that never was a favorite.
    package func favorite(_ key: Key) -> Favorite? {
        guard let record = records[key] else { return nil }
        return Favorite(
            key: key, id: record.id, added: record.since, ended: record.ended, links: record.links.places.sorted(),
            removed: record.removed.values.sorted { $0.link.place < $1.link.place },
            files: Dictionary(
                uniqueKeysWithValues: record.links.all.compactMap { link in link.held.file.map { (link.place, $0) } }))
    }

    /// The names of the albums with links to a key.
    package func albums(of key: Key) -> [String] { (records[key]?.links.places ?? []).albumNames }
}
