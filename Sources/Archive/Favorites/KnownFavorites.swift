package import Apod
package import Files

/// The favorites: the fold of the history's lines, a value. A day is a favorite as long as a link to it is there.
package struct KnownFavorites: Sendable {
    /// How long links that went are remembered, in seconds.
    package static let memory = 365 * 86_400
    /// How long the picture of a favorite that ended is kept, in seconds.
    package static let grace = 90 * 86_400

    private struct Present {
        let day: Day
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

    /// A place has two for a moment when its link leads to another day.
    private var links: [Album: [Name: [Present]]] = [:]
    private var records: [Day: Record] = [:]

    package init() {}

    /// Takes a line into account. What older programs wrote says nothing.
    mutating func enter(_ line: HistoryLine) {
        switch line.change {
        case .came: come(line, since: line.moment)
        case .moved:
            let before = line.from.flatMap { find(line.link.day, at: $0) }
            come(line, since: before?.came ?? line.moment)
            if let from = line.from, from != line.link.place { _ = leave(line.link.day, from) }
        case .went:
            guard leave(line.link.day, line.link.place) else { return }
            records[line.link.day]?.removed.append(RemovedLink(line.link, went: line.moment))
            if records[line.link.day]?.places.isEmpty == true { records[line.link.day]?.ended = line.moment }
        case .added, .removed, .restored, .adopted: break
        }
    }

    private mutating func come(_ line: HistoryLine, since came: Int) {
        let (day, place) = (line.link.day, line.link.place)
        let before = find(day, at: place)
        // Links to one file share its name.
        var file = line.link.file
        if let other = records[day]?.places.first.flatMap({ find(day, at: $0) }), other.file == file {
            file = other.file
        }
        let present = Present(
            day: day, file: file, isLink: line.isLink, came: before?.came ?? came,
            said: line.was?.hashValue ?? before?.said)
        if before != nil { links[place.album]?[place.name]?.removeAll { $0.day == day } }
        links[place.album, default: [:]][place.name, default: []].append(present)
        var record = records.removeValue(forKey: day) ?? Record(since: line.moment)
        if let ended = record.ended {
            // A favorite that comes back within a year keeps its date.
            if ended <= line.moment - Self.memory { record.since = line.moment }
            record.ended = nil
        }
        record.places.insert(place)
        record.removed.removeAll { $0.link.place == place }
        records[day] = record
    }

    /// Returns whether the link was there.
    private mutating func leave(_ day: Day, _ place: Place) -> Bool {
        guard find(day, at: place) != nil else { return false }
        links[place.album]?[place.name]?.removeAll { $0.day == day }
        if links[place.album]?[place.name]?.isEmpty == true { links[place.album]?[place.name] = nil }
        if links[place.album]?.isEmpty == true { links[place.album] = nil }
        records[day]?.places.remove(place)
        return true
    }

    private func find(_ day: Day, at place: Place) -> Present? {
        links[place.album]?[place.name]?.first { $0.day == day }
    }

    /// Forgets links and favorites that ended before a moment.
    mutating func forget(before limit: Int) {
        for (day, record) in records {
            if let ended = record.ended, ended < limit {
                records[day] = nil
            } else if record.removed.contains(where: { $0.went < limit }) {
                records[day]?.removed.removeAll { $0.went < limit }
            }
        }
    }
}

extension KnownFavorites {
    /// The days that are favorites.
    package var days: Set<Day> { Set(records.lazy.filter { $0.value.ended == nil }.map(\.key)) }

    package func isFavorite(_ day: Day) -> Bool { records[day].map { $0.ended == nil } ?? false }

    package var isEmpty: Bool { links.isEmpty }

    /// Whether nothing deletes a day's pictures: it is a favorite, or was one within `grace`. `now`: what the clock says,
    /// as far as it is believed.
    package func isProtected(_ day: Day, at now: Int) -> Bool {
        records[day].map { $0.ended.map { $0 > now - Self.grace } ?? true } ?? false
    }

    package func protected(at now: Int) -> Set<Day> { Set(records.keys.lazy.filter { isProtected($0, at: now) }) }

    /// The albums that have links.
    package var albums: Set<Album> { Set(links.keys) }

    /// The names in an album that are links.
    package func names(in album: Album) -> Set<Name> { links[album].map { Set($0.keys) } ?? [] }

    package func links(at place: Place) -> [KnownLink] {
        (links[place.album]?[place.name] ?? []).map { known($0, at: place) }
    }

    /// Sorted by day and place.
    package func links(to days: some Sequence<Day>) -> [KnownLink] {
        days.sorted().flatMap { day in
            (records[day]?.places ?? []).sorted().compactMap { place in
                find(day, at: place).map { known($0, at: place) }
            }
        }
    }

    private func known(_ present: Present, at place: Place) -> KnownLink {
        KnownLink(
            Link(place, to: present.day, file: present.file), isLink: present.isLink, came: present.came,
            said: present.said)
    }

    /// The links that went at a moment or later, sorted by day and place.
    package func removedLinks(since moment: Int = .min) -> [RemovedLink] {
        let gone = records.values.lazy.flatMap(\.removed).filter { $0.went >= moment }
        return gone.sorted { ($0.link.day, $0.link.place) < ($1.link.day, $1.link.place) }
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

    /// The days that ended as favorites within a year.
    package var endedDays: Set<Day> { Set(records.keys).subtracting(days) }

    /// What is known of a day, without its title and picture; nil for one that never was a favorite.
    package func favorite(_ day: Day) -> Favorite? {
        guard let record = records[day] else { return nil }
        var files: [Place: String] = [:]
        for place in record.places { files[place] = find(day, at: place)?.file }
        return Favorite(
            day: day, added: record.since, ended: record.ended, links: record.places.sorted(),
            removed: record.removed.sorted { $0.link.place < $1.link.place }, files: files)
    }

    /// The names of the albums with links to a day.
    package func albums(of day: Day) -> [String] { records[day]?.places.albumNames ?? [] }

    /// Lines of which this is the fold.
    var lines: some Sequence<HistoryLine> {
        records.keys.lazy.compactMap(favorite).flatMap { favorite in
            favorite.lines { place in find(favorite.day, at: place)?.isLink ?? true }
        }
    }
}
