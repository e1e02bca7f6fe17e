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
        var since: Int
        /// nil while it is a favorite.
        var ended: Int?
        var links: [Place: KnownLink] = [:]
        var removed: [Place: RemovedLink] = [:]
    }

    private var records: [Subject: Record] = [:]
    /// What the links in a place lead to. A place has two for a moment when its link leads elsewhere.
    private var subjectsAt: [Place: [Subject]] = [:]

    package init() {}

    package mutating func enter(_ line: HistoryLine) {
        let (link, moment) = (line.link, line.moment)
        switch line.change {
        case .came: come(line, since: moment)
        case .moved:
            let before = line.from.flatMap { records[link.subject]?.links[$0] }
            come(line, since: before?.came ?? moment)
            if let from = line.from, from != link.place { _ = leave(link.subject, from) }
        case .went:
            guard leave(link.subject, link.place) else { return }
            records[link.subject]?.removed[link.place] = RemovedLink(link, went: moment)
            if records[link.subject]?.links.isEmpty == true { records[link.subject]?.ended = moment }
        }
    }

    private mutating func come(_ line: HistoryLine, since came: Int) {
        let place = line.link.place
        var subject = line.link.subject
        // The id may be known from an earlier line.
        if subject.list != nil, subject.id == nil, let known = records.index(forKey: subject) {
            subject = records[known].key
        }
        var record = records.removeValue(forKey: subject) ?? Record(since: line.moment)
        if subject.list != nil, let since = leaveRenamed(subject, place, at: line.moment) { record.since = since }
        // A favorite that comes back within a year keeps its date.
        if let ended = record.ended, ended <= line.moment - Self.memory { record.since = line.moment }
        record.ended = nil
        record.removed[place] = nil
        let before = record.links[place]
        if before == nil { subjectsAt[place, default: []].append(subject) }
        record.links[place] = KnownLink(
            Link(place, to: subject, file: line.link.file), isLink: line.isLink, came: before?.came ?? came,
            said: line.was?.hashValue ?? before?.said)
        records[subject] = record
    }

    /// Takes away a link to the same item by the name that another mirror had chosen: it is led to the one that the item
    /// has here. Returns since when the item was a favorite by that name.
    private mutating func leaveRenamed(_ subject: Subject, _ place: Place, at moment: Int) -> Int? {
        let other = subjectsAt[place]?.first { $0.isRenamed(subject) }
        guard let other, leave(other, place), let record = records[other] else { return nil }
        if record.links.isEmpty { records[other] = nil }
        return record.since
    }

    /// Returns whether the link was there.
    private mutating func leave(_ subject: Subject, _ place: Place) -> Bool {
        guard records[subject]?.links.removeValue(forKey: place) != nil else { return false }
        subjectsAt[place]?.removeAll { $0 == subject }
        if subjectsAt[place]?.isEmpty == true { subjectsAt[place] = nil }
        return true
    }

    /// Forgets links and favorites that ended before a moment.
    mutating func forget(before limit: Int) {
        for (subject, record) in records {
            if let ended = record.ended, ended < limit {
                records[subject] = nil
            } else if record.removed.values.contains(where: { $0.went < limit }) {
                records[subject]?.removed = record.removed.filter { $0.value.went >= limit }
            }
        }
    }
}

extension KnownFavorites {
    package var subjects: Set<Subject> { Set(records.lazy.filter { $0.value.ended == nil }.map(\.key)) }

    /// Those that ended as favorites within a year.
    package var ended: Set<Subject> { Set(records.lazy.filter { $0.value.ended != nil }.map(\.key)) }

    /// The days that are favorites.
    package var days: Set<Day> { subjects.days }

    package func isFavorite(_ subject: Subject) -> Bool { records[subject].map { $0.ended == nil } ?? false }

    /// Whether it is a favorite, or was one within a year.
    package func has(_ subject: Subject) -> Bool { records[subject] != nil }

    package var isEmpty: Bool { subjectsAt.isEmpty }

    /// Whether nothing deletes its pictures: it is a favorite, or was one within `grace`. `now`: what the clock says,
    /// as far as it is believed.
    package func isProtected(_ subject: Subject, at now: Int) -> Bool {
        records[subject].map { $0.ended.map { $0 > now - Self.grace } ?? true } ?? false
    }

    /// The days and items of which that is true.
    package func protected(at now: Int) -> Set<Day> {
        Set(records.keys.lazy.filter { isProtected($0, at: now) }.map(\.day))
    }

    /// The places that have links.
    package var places: some Sequence<Place> { records.values.lazy.flatMap(\.links.keys) }

    package func links(at place: Place) -> [KnownLink] {
        (subjectsAt[place] ?? []).compactMap { records[$0]?.links[place] }
    }

    /// Sorted by subject and place.
    package func links(to subjects: some Sequence<Subject>) -> [KnownLink] {
        subjects.sorted().flatMap { (records[$0]?.links ?? [:]).values.sorted { $0.link.place < $1.link.place } }
    }

    /// The same of some days and items.
    package func links(to days: Set<Day>) -> [KnownLink] { links(to: days.map(Subject.init)) }

    /// The links that went at a moment or later, sorted by subject and place.
    package func removedLinks(since moment: Int = .min) -> [RemovedLink] {
        let gone = records.values.lazy.flatMap(\.removed.values).filter { $0.went >= moment }
        return gone.sorted { ($0.link.subject, $0.link.place) < ($1.link.subject, $1.link.place) }
    }

    /// The last links that went together within a week, each within a minute of the next; nil if they are few. Links that
    /// are back do not count.
    package func loss(at now: Int) -> LinkLoss? {
        let moments = removedLinks(since: now - 7 * 86_400).map(\.went).sorted(by: >)
        let apart = zip(moments, moments.dropFirst()).enumerated().first { $1.0 - $1.1 > 60 }
        let together = moments.prefix(apart.map { $0.offset + 1 } ?? moments.count)
        return together.count > 3 ? LinkLoss(links: together.count, since: together.last!) : nil
    }

    /// What is known of a subject, without its title and picture; nil for one that never was a favorite.
    package func favorite(_ subject: Subject) -> Favorite? {
        guard let record = records[subject] else { return nil }
        return Favorite(
            subject: subject, added: record.since, ended: record.ended, links: record.links.keys.sorted(),
            removed: record.removed.values.sorted { $0.link.place < $1.link.place },
            files: record.links.compactMapValues(\.link.file))
    }

    /// The names of the albums with links to a subject.
    package func albums(of subject: Subject) -> [String] { (records[subject]?.links ?? [:]).keys.albumNames }
}
