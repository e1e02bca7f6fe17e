internal import Apod
internal import Catalog
internal import Files
internal import Watching

/// What goes on in the favorites folder, beside what the catalog knows of it: a value, which becomes another by what is
/// seen and by time.
///
/// `see` decides what one place means, `lose` and `spare` that what cannot be looked at means nothing, and `departures` which
/// links have stayed away. `Reconciler` looks, and does what comes of it.
struct FavoritesState: Sendable {
    /// By a clock that nobody sets, and by the one that people read.
    struct Moment: Sendable {
        let instant: ContinuousClock.Instant
        let seconds: Int
    }

    /// Things that are not understood: all are counted, and the first are named.
    struct Unrecognised: Sendable, Equatable {
        static let most = 1000
        private(set) var named: [Place: Stranger] = [:]
        private(set) var count = 0
        /// Whether one that is not named was there is not known.
        var isCrowded: Bool { count > named.count }

        mutating func add(_ place: Place, _ why: Stranger) {
            count += 1
            if named.count < Self.most { named[place] = why }
        }

        mutating func set(_ place: Place, _ why: Stranger?) {
            if let why {
                if named.updateValue(why, forKey: place) == nil { count += 1 }
            } else if named.removeValue(forKey: place) != nil {
                count -= 1
            }
        }
    }

    /// Links that are not there, or lead to another day, since when: they may come back.
    private(set) var going: [Link: Moment] = [:]
    private(set) var unrecognised = Unrecognised()
    /// While all of the folder is looked at.
    private var tally: Unrecognised?
    /// All of the folder is to be looked at to count what is not understood.
    var needsCount = false
    /// Files that were compared and are no copies, as they were.
    private var others: [Place: File.Facts] = [:]
    /// Copies that somebody may still be writing, as they were when they were last looked at.
    var resting: [Place: File.Facts] = [:]
    /// Where there may be something to put in order.
    var work = DirtyPaths.none
    /// What could not be brought to the disk does not come into the catalog; the next look at everything tries again.
    var unsynced = Unsynced()
    /// What had to stay as it is, and what was told of it last.
    var unwritable = Unwritable()
    var toldUnwritable: [UnwritableAlbum]?
    /// The links that went together last. They may go in several portions.
    private var loss: LinkLoss?
    private var isLossNews = false
    var hasScanned = false
    /// It was looked for, and was not there.
    private(set) var isLost = false
    var isListOld = true
    /// Something is remembered of which those who look at the favorites were not told.
    var isNews = true

    /// `isHinted`: somebody may just have changed it.
    mutating func see(
        _ sighting: Sighting, _ known: [KnownLink], isHinted: Bool, at now: Moment, _ change: inout FolderChange
    ) {
        let place = sighting.place
        // Whether it still has to stay as it is.
        if isHinted, unwritable.codes[place] != nil { work.add(place) }
        var why: Stranger?
        switch sighting.finding {
        case .unknown: return
        case .day(let day, let file):
            let before = known.first { $0.link.day == day }
            for other in known { other.link.day == day ? stay(other.link) : go(other.link, at: now) }
            if before.map({ $0.link.file != file || $0.isLink != sighting.isLink }) ?? true {
                change.came.append((Link(place, to: day, file: file), sighting.isLink))
                isListOld = true
            }
            if !sighting.isTidy { work.add(place) }
        case .copy where others[place].map { $0 == sighting.facts } == true:
            go(known, at: now)
            why = .file
        // A copy stays one until somebody changes it, even if the mirror's picture has changed since.
        case .copy where !isHinted && known.contains(where: { !$0.isLink }): stay(known)
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
        list(why, at: place, hasLink: !known.isEmpty, &change)
    }

    private mutating func go(_ link: Link, at now: Moment) { if going[link] == nil { going[link] = now } }
    private mutating func stay(_ link: Link) { going[link] = nil }
    private mutating func go(_ known: [KnownLink], at now: Moment) { for one in known { go(one.link, at: now) } }
    private mutating func stay(_ known: [KnownLink]) { for one in known { stay(one.link) } }

    private mutating func list(_ why: Stranger?, at place: Place, hasLink: Bool, _ change: inout FolderChange) {
        if tally != nil {
            if let why { tally?.add(place, why) }
            return
        }
        let before = unrecognised.named[place]
        if before == why {
            // It may have been one of those that are not named.
            if unrecognised.isCrowded, !hasLink { needsCount = true }
            return
        }
        if unrecognised.isCrowded || unrecognised.named.count == Unrecognised.most, before == nil || why == nil {
            needsCount = true
        }
        if before == nil, unrecognised.named.count == Unrecognised.most { return }
        unrecognised.set(place, why)
        change.unrecognised[place] = .some(why)
        change.unrecognisedCount = unrecognised.count
    }

    /// All that is in the folder is seen now.
    mutating func beginLook() { tally = Unrecognised() }

    mutating func endLook(_ change: inout FolderChange) {
        defer { (tally, needsCount, hasScanned) = (nil, false, true) }
        guard let tally, tally != unrecognised || !hasScanned else { return }
        unrecognised = tally
        change.isWhole = true
        change.unrecognised = tally.named.mapValues { $0 }
        change.unrecognisedCount = tally.count
    }

    /// What is there was compared, and is nobody's copy.
    mutating func noteOther(_ place: Place, _ facts: File.Facts) {
        if others.count >= Unrecognised.most { others = [:] }
        others[place] = facts
    }

    /// The folder is not there: it decides nothing, and what was going is not.
    mutating func lose() { (going, isLost) = ([:], true) }

    /// The same of an album.
    mutating func spare(_ album: Album) { going = going.filter { !$0.key.place.album.isInside(album) } }

    /// What was to be changed in some places is known.
    mutating func settle(_ places: Set<Place>) {
        for link in going.keys where places.contains(link.place) { stay(link) }
    }

    /// Somebody asked for links in these places to be taken away: what is gone there is gone at once.
    mutating func expire(_ places: Set<Place>, after delay: Duration) {
        for (link, moment) in going where places.contains(link.place) {
            going[link] = Moment(instant: moment.instant - delay, seconds: moment.seconds)
        }
    }

    /// The links that have stayed away since a moment, of the days of which no other has gone since then.
    func overdue(since limit: ContinuousClock.Instant, sparing days: Set<Day> = []) -> [RemovedLink] {
        var young = days
        for (link, moment) in going where moment.instant > limit { young.insert(link.day) }
        return going.filter { !young.contains($0.key.day) }.map { RemovedLink($0.key, went: $0.value.seconds) }
    }

    mutating func end(_ departures: Departures) {
        for link in departures.moved + departures.went.map(\.link) { stay(link) }
        if !departures.isEmpty { (isListOld, isNews) = (true, true) }
        guard let first = departures.went.map(\.went).min() else { return }
        let loss = LinkLoss(links: departures.went.count, since: first)
        self.loss = self.loss.flatMap { $0.joined(by: loss) } ?? loss
        isLossNews = true
    }

    mutating func takeLoss() -> LinkLoss? {
        defer { isLossNews = false }
        return isLossNews && loss?.isLarge == true ? loss : nil
    }
}
