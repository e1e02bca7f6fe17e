internal import Apod
internal import Archive
internal import Files

/// The state of the favorites folder beside the history: a value, changed by sightings and by time.
///
/// `see` decides what a sighting means, `lose` and `spare` keep the links of a folder or album that cannot be read, and
/// `overdue` tells which links have stayed away. `Reconciler` does the looking, and acts on the answers.
struct FavoritesState: Sendable {
    /// A moment, by the monotonic clock and by the wall clock.
    struct Moment: Sendable {
        let instant: ContinuousClock.Instant
        let seconds: Int
    }

    /// Links that are gone or lead elsewhere, and since when. They may come back.
    private(set) var going: [Link: Moment] = [:]
    /// Things that are not understood, and why.
    var leftAlone: [Place: UnrecognisedReason] = [:]
    /// Files that were compared and are no copies, as they were then.
    var others: [Place: File.Facts] = [:]
    /// Files to compare once they rest, as last seen: somebody may still be writing them.
    var resting: [Place: File.Facts] = [:]
    /// Places that are still to be looked at, as that or recording it failed, and why it failed last.
    private(set) var due: (places: DirtyPaths, why: StorageError)?
    /// Places that may need to be put in order.
    var work = DirtyPaths.none
    /// Albums in which nothing could be changed, with the last error codes (errno(3)).
    var unwritable: [Album: Int32] = [:]
    /// Links have ended since `takeLossNews` was last called.
    private var isLossNews = false
    private(set) var hasScanned = false
    /// Something that was seen could not be recorded. Until it is, no link ends: it may have been moved. The same where
    /// something is due for lack of memory or descriptors.
    var isBehind = false
    /// The folder was missing or unreadable at least once.
    private(set) var isLost = false
    var isListOld = true
    /// Something has changed since `Reconciler.takeChanged` was last called.
    var isNews = true

    /// Adds to `change` what is to be recorded. `known`: the links that the history has at the place. `isHinted`: somebody
    /// may just have changed the place.
    mutating func see(
        _ sighting: Sighting, _ known: [KnownLink], isHinted: Bool, at now: Moment, _ change: inout FolderChange
    ) {
        let place = sighting.place
        var why: UnrecognisedReason?
        switch sighting.finding {
        case .unknown(let error):
            stay(known)
            return delay(.places([place]), error)
        case .favorite(let subject, let file):
            let before = known.first { $0.link.subject == subject }
            stay(known.filter { $0.link.subject == subject })
            go(known.filter { $0.link.subject != subject }, at: now)
            let was = sighting.words
            let isNews = before.map {
                $0.link.file != file || $0.isLink != sighting.isLink || was.map(\.hashValue) ?? $0.said != $0.said
            }
            if isNews ?? true {
                change.came.append(
                    .init(
                        link: Link(place, to: before?.link.subject ?? subject, file: file), isLink: sighting.isLink,
                        was: was,
                        isKnown: before != nil))
                isListOld = true
            }
            if !sighting.isTidy { work.add(place) }
        case .copy where others[place].map { $0 == sighting.facts } == true:
            go(known, at: now)
            why = .file
        // A copy stays one until somebody changes it, even if the mirror's picture has changed since.
        case .copy where !isHinted && known.contains(where: { !$0.isLink }):
            stay(known)
            // Perhaps it can become a link now.
            if unwritable[place.album] != nil { work.add(place) }
        case .copy:
            stay(known)
            work.add(place)
            if known.isEmpty { why = .undecided }
        case .unrecognised(.file) where !isHinted && known.contains(where: { !$0.isLink }): stay(known)
        case .unrecognised(let reason):
            go(known, at: now)
            why = reason
        case .leftover:
            go(known, at: now)
            work.add(place)
        case .album, .nothing: go(known, at: now)
        }
        leave(why, at: place)
    }

    private mutating func leave(_ why: UnrecognisedReason?, at place: Place) {
        if leftAlone[place] == why { return }
        leftAlone[place] = why
        (isListOld, isNews) = (true, true)
    }

    private mutating func go(_ known: [KnownLink], at now: Moment) {
        for one in known where going[one.link] == nil { going[one.link] = now }
    }

    private mutating func stay(_ known: [KnownLink]) { for one in known { going[one.link] = nil } }

    /// Pairs new links with links to the same subjects that are going, the longest gone first: they were moved. Waiting for
    /// these to end would count them as deleted if the new ones went, too.
    func moved(to new: [Link]) -> [Link: Link] {
        if going.isEmpty { return [:] }
        let subjects = Set(new.map(\.subject))
        let sorted = going.filter { subjects.contains($0.key.subject) }.sorted {
            ($0.value.instant, $0.key.place.description) > ($1.value.instant, $1.key.place.description)
        }
        var links = Dictionary(grouping: sorted.map(\.key), by: \.subject)
        return Dictionary(
            new.compactMap { new in links[new.subject]?.popLast().map { (new, $0) } }, uniquingKeysWith: { $1 })
    }

    /// Takes note that the whole folder was seen. What was told before that of the things that are left alone is an earlier
    /// process's word.
    mutating func scanned() {
        if !hasScanned { (hasScanned, isListOld, isNews) = (true, true, true) }
    }

    /// Takes note that the history has a change.
    mutating func remember(_ change: FolderChange) {
        for link in change.moved.values { going[link] = nil }
    }

    /// Takes note that the folder is not there, which ends no link.
    mutating func lose() { (going, isLost) = ([:], true) }

    /// The same for an album. One that something is mounted over is not read.
    mutating func spare(_ album: Album, _ why: StorageError) {
        going = going.filter { !$0.key.place.album.isInside(album) }
        if !why.isOtherMount { delay(.everywhere, why) }
    }

    mutating func delay(_ places: DirtyPaths, _ why: StorageError) {
        var all = due?.places ?? .none
        all.add(places)
        due = (all, why)
    }

    /// Returns what is due, which is then due no more.
    mutating func takeDue() -> (places: DirtyPaths, why: StorageError)? {
        defer { due = nil }
        return due
    }

    /// Takes note that these places are about to be looked at.
    mutating func begin(_ places: Set<Place>) {
        guard let (before, why) = due, case .places(let all) = before else { return }
        let left = all.subtracting(places)
        due = left.isEmpty ? nil : (.places(left), why)
    }

    /// Takes note that links in these places are not going: the mirror has renamed them.
    mutating func stay(in places: Set<Place>) {
        going = going.filter { !places.contains($0.key.place) }
    }

    /// Ends the delay for links that go from these places: a command has deleted them.
    mutating func expire(_ places: Set<Place>, after delay: Duration) {
        for (link, moment) in going where places.contains(link.place) {
            going[link] = Moment(instant: moment.instant - delay, seconds: moment.seconds)
        }
    }

    /// The links gone since `limit` or before. A subject that another link left later is left out: its links end together.
    func overdue(since limit: ContinuousClock.Instant) -> [RemovedLink] {
        if isBehind || due?.why.isOfProcess == true { return [] }
        var young: Set<Subject> = []
        for (link, moment) in going where moment.instant > limit { young.insert(link.subject) }
        return going.filter { !young.contains($0.key.subject) }.map { RemovedLink($0.key, went: $0.value.seconds) }
    }

    mutating func end(_ departures: Departures) {
        for link in departures.moved.map(\.from) + departures.went.map(\.link) { going[link] = nil }
        if !departures.isEmpty { (isListOld, isNews) = (true, true) }
        if !departures.went.isEmpty { isLossNews = true }
    }

    mutating func takeLossNews() -> Bool {
        defer { isLossNews = false }
        return isLossNews
    }
}
