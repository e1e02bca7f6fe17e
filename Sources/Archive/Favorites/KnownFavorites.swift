package import Apod
package import Files

/// The favorites: the fold of the history's lines, a value. A day, or an item of another list, is a favorite as long as a
/// link to it is there.
package struct KnownFavorites: Sendable {
    /// How long links that went are remembered, in seconds.
    package static let memory = 365 * 86_400
    /// How long the picture of a favorite that ended is kept, in seconds.
    package static let grace = 90 * 86_400

    private struct Present {
        let subject: Subject
        let file: String?
        let isLink: Bool
        let came: Int
        let said: Int?
    }

    private struct Record {
        var since: Int
        /// nil while it is a favorite.
        var ended: Int?
        var places: Set<Place> = []
        var removed: [RemovedLink] = []
    }

    /// A place has two for a moment when its link leads elsewhere.
    private var links: [Album: [Name: [Present]]] = [:]
    private var records: [Subject: Record] = [:]

    package init() {}

    /// Takes a line into account. What older programs wrote says nothing.
    mutating func enter(_ line: HistoryLine) {
        switch line.change {
        case .came: come(line, since: line.moment)
        case .moved:
            let before = line.from.flatMap { find(line.link.subject, at: $0) }
            come(line, since: before?.came ?? line.moment)
            if let from = line.from, from != line.link.place { _ = leave(line.link.subject, from) }
        case .went:
            let subject = line.link.subject
            guard leave(subject, line.link.place) else { return }
            records[subject]?.removed.append(RemovedLink(line.link, went: line.moment))
            if records[subject]?.places.isEmpty == true { records[subject]?.ended = line.moment }
        case .added, .removed, .restored, .adopted: break
        }
    }

    private mutating func come(_ line: HistoryLine, since came: Int) {
        let place = line.link.place
        var subject = line.link.subject
        // The id may be known from an earlier line.
        if subject.list != nil, subject.id == nil, let known = records.index(forKey: subject) {
            subject = records[known].key
        }
        let before = find(subject, at: place)
        // Links to one file share its name.
        var file = line.link.file
        if let other = records[subject]?.places.first.flatMap({ find(subject, at: $0) }), other.file == file {
            file = other.file
        }
        let present = Present(
            subject: subject, file: file, isLink: line.isLink, came: before?.came ?? came,
            said: line.was?.hashValue ?? before?.said)
        if before != nil { links[place.album]?[place.name]?.removeAll { $0.subject == subject } }
        var record = records.removeValue(forKey: subject) ?? Record(since: line.moment)
        if subject.list != nil, let since = leaveRenamed(subject, place, at: line.moment) { record.since = since }
        links[place.album, default: [:]][place.name, default: []].append(present)
        if let ended = record.ended {
            // A favorite that comes back within a year keeps its date.
            if ended <= line.moment - Self.memory { record.since = line.moment }
            record.ended = nil
        }
        record.places.insert(place)
        record.removed.removeAll { $0.link.place == place }
        records[subject] = record
    }

    /// Takes away a link to the same item by the name that another mirror had chosen: it is led to the one that the item
    /// has here. Returns since when the item was a favorite by that name.
    private mutating func leaveRenamed(_ subject: Subject, _ place: Place, at moment: Int) -> Int? {
        let other = links[place.album]?[place.name]?.first { $0.subject.isRenamed(subject) }?.subject
        guard let other, leave(other, place), let record = records[other] else { return nil }
        if record.places.isEmpty { records[other] = nil }
        return record.since
    }

    /// Returns whether the link was there.
    private mutating func leave(_ subject: Subject, _ place: Place) -> Bool {
        guard find(subject, at: place) != nil else { return false }
        links[place.album]?[place.name]?.removeAll { $0.subject == subject }
        if links[place.album]?[place.name]?.isEmpty == true { links[place.album]?[place.name] = nil }
        if links[place.album]?.isEmpty == true { links[place.album] = nil }
        records[subject]?.places.remove(place)
        return true
    }

    private func find(_ subject: Subject, at place: Place) -> Present? {
        links[place.album]?[place.name]?.first { $0.subject == subject }
    }

    /// Forgets links and favorites that ended before a moment.
    mutating func forget(before limit: Int) {
        for (subject, record) in records {
            if let ended = record.ended, ended < limit {
                records[subject] = nil
            } else if record.removed.contains(where: { $0.went < limit }) {
                records[subject]?.removed.removeAll { $0.went < limit }
            }
        }
    }
}

extension KnownFavorites {
    package var subjects: Set<Subject> { Set(records.lazy.filter { $0.value.ended == nil }.map(\.key)) }

    /// The days that are favorites.
    package var days: Set<Day> { records.lazy.filter { $0.value.ended == nil }.map(\.key).days }

    package func isFavorite(_ subject: Subject) -> Bool { records[subject].map { $0.ended == nil } ?? false }

    /// Whether it is a favorite, or was one within a year.
    package func has(_ subject: Subject) -> Bool { records[subject] != nil }

    package var isEmpty: Bool { links.isEmpty }

    /// Whether nothing deletes its pictures: it is a favorite, or was one within `grace`. `now`: what the clock says,
    /// as far as it is believed.
    package func isProtected(_ subject: Subject, at now: Int) -> Bool {
        records[subject].map { $0.ended.map { $0 > now - Self.grace } ?? true } ?? false
    }

    /// The days of which that is true.
    package func protected(at now: Int) -> Set<Day> { records.keys.lazy.filter { isProtected($0, at: now) }.days }

    /// The albums that have links.
    package var albums: Set<Album> { Set(links.keys) }

    /// The names in an album that are links.
    package func names(in album: Album) -> Set<Name> { links[album].map { Set($0.keys) } ?? [] }

    package func links(at place: Place) -> [KnownLink] {
        (links[place.album]?[place.name] ?? []).map { known($0, at: place) }
    }

    /// Sorted by subject and place.
    package func links(to subjects: some Sequence<Subject>) -> [KnownLink] {
        subjects.sorted().flatMap { subject in
            (records[subject]?.places ?? []).sorted().compactMap { place in
                find(subject, at: place).map { known($0, at: place) }
            }
        }
    }

    /// The same of some days, and of the items that have these numbers in any list.
    package func links(to days: Set<Day>) -> [KnownLink] {
        let hasItems = days.contains(where: \.isItem)
        let items = hasItems ? records.keys.filter { $0.list != nil && days.contains($0.day) } : []
        return links(to: days.filter { !$0.isItem }.map(Subject.init) + items)
    }

    private func known(_ present: Present, at place: Place) -> KnownLink {
        KnownLink(
            Link(place, to: present.subject, file: present.file), isLink: present.isLink, came: present.came,
            said: present.said)
    }

    /// The links that went at a moment or later, sorted by subject and place.
    package func removedLinks(since moment: Int = .min) -> [RemovedLink] {
        let gone = records.values.lazy.flatMap(\.removed).filter { $0.went >= moment }
        return gone.sorted { ($0.link.subject, $0.link.place) < ($1.link.subject, $1.link.place) }
    }

    /// The last links that went together within a week, each within a minute of the next; nil if they are few. Links that
    /// are back do not count.
    package func loss(at now: Int) -> LinkLoss? {
        let moments = removedLinks(since: now - 7 * 86_400).map(\.went).sorted(by: >)
        guard let last = moments.first else { return nil }
        var loss = LinkLoss(links: 1, since: last)
        for moment in moments.dropFirst() {
            guard let joined = loss.joined(by: LinkLoss(links: 1, since: moment)) else { break }
            loss = joined
        }
        return loss.isLarge ? loss : nil
    }

    /// Those that ended as favorites within a year.
    package var ended: Set<Subject> { Set(records.keys).subtracting(subjects) }

    /// What is known of a subject, without its title and picture; nil for one that never was a favorite.
    package func favorite(_ subject: Subject) -> Favorite? {
        guard let record = records[subject] else { return nil }
        var files: [Place: String] = [:]
        for place in record.places { files[place] = find(subject, at: place)?.file }
        return Favorite(
            subject: subject, added: record.since, ended: record.ended, links: record.places.sorted(),
            removed: record.removed.sorted { $0.link.place < $1.link.place }, files: files)
    }

    /// The names of the albums with links to a subject.
    package func albums(of subject: Subject) -> [String] { records[subject]?.places.albumNames ?? [] }

    /// Lines of which this is the fold.
    var lines: some Sequence<HistoryLine> {
        records.keys.lazy.compactMap(favorite).flatMap { favorite in
            favorite.lines { place in find(favorite.subject, at: place)?.isLink ?? true }
        }
    }
}
