internal import Apod
internal import Catalog
internal import Files
internal import Watching

/// What is known of the favorites folder beside the catalog: a value, changed by what is seen and by time.
///
/// `see` decides what a sighting means, `lose` and `spare` keep the links of a folder or album that cannot be read, and
/// `overdue` tells which links have stayed away. `Reconciler` does the looking, and acts on the answers.
struct FavoritesState: Sendable {
    /// One moment, by the monotonic clock and by the wall clock.
    struct Moment: Sendable {
        let instant: ContinuousClock.Instant
        let seconds: Int
    }

    /// Things that are not understood: all are counted, and the first are named.
    struct Unrecognised: Sendable, Equatable {
        static let most = 1000
        private(set) var named: [Place: Stranger] = [:]
        private(set) var count = 0
        /// Some things are not named, so whether a given one was counted is unknown.
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

    /// Links that are gone or lead to another day, and since when. They may come back.
    private(set) var going: [Link: Moment] = [:]
    private(set) var unrecognised = Unrecognised()
    /// The new count during a full scan; nil otherwise.
    private var tally: Unrecognised?
    /// A full scan must count anew what is not understood.
    var needsCount = false
    /// Files that were compared and are no copies, as they were then.
    private var others: [Place: File.Facts] = [:]
    /// Files to compare once they rest, as last seen: somebody may still be writing them.
    var resting: [Place: File.Facts] = [:]
    /// Places that may need to be put in order.
    var work = DirtyPaths.none
    /// Failures since the last full scan; the next one tries again.
    var unsynced = Unsynced()
    /// Places that could not be changed, and their albums as last written into the catalog.
    var unwritable = Unwritable()
    var toldUnwritable: [UnwritableAlbum]?
    /// The links that went together last, perhaps in several portions.
    private var loss: LinkLoss?
    private var isLossNews = false
    var hasScanned = false
    /// The folder was missing or unreadable at least once.
    private(set) var isLost = false
    var isListOld = true
    /// Something has changed since `Reconciler.takeNews` was last called.
    var isNews = true

    /// Adds to `change` what the catalog is to record. `isHinted`: somebody may just have changed the place.
    mutating func see(
        _ sighting: Sighting, _ known: [KnownLink], isHinted: Bool, at now: Moment, _ change: inout FolderChange
    ) {
        let place = sighting.place
        // Perhaps the place can be changed now.
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
            // The thing may have been counted without being named.
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

    /// Begins a full scan: everything in the folder is seen until `endLook`.
    mutating func beginLook() { tally = Unrecognised() }

    mutating func endLook(_ change: inout FolderChange) {
        defer { (tally, needsCount, hasScanned) = (nil, false, true) }
        guard let tally, tally != unrecognised || !hasScanned else { return }
        unrecognised = tally
        change.isWhole = true
        change.unrecognised = tally.named.mapValues { $0 }
        change.unrecognisedCount = tally.count
    }

    /// Remembers that a file was compared and is no copy.
    mutating func noteOther(_ place: Place, _ facts: File.Facts) {
        if others.count >= Unrecognised.most { others = [:] }
        others[place] = facts
    }

    /// Takes note that the folder is not there, which ends no link.
    mutating func lose() { (going, isLost) = ([:], true) }

    /// The same for an album.
    mutating func spare(_ album: Album) { going = going.filter { !$0.key.place.album.isInside(album) } }

    /// Takes note that links in these places are not going: the mirror has renamed them.
    mutating func settle(_ places: Set<Place>) {
        for link in going.keys where places.contains(link.place) { stay(link) }
    }

    /// Ends the delay for links that go from these places: a command has deleted them.
    mutating func expire(_ places: Set<Place>, after delay: Duration) {
        for (link, moment) in going where places.contains(link.place) {
            going[link] = Moment(instant: moment.instant - delay, seconds: moment.seconds)
        }
    }

    /// The links gone since `limit` or before. A day that another link left later is left out: its links end together.
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
