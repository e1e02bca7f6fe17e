import Apod
import Files
import Store

/// What is known of the favorites folder beside the history: a value. `step` says what follows from a look at one place,
/// `ending` what becomes of links that stayed away. The disk and the history are not asked.
struct FolderState: Sendable {
    /// A moment, by the monotonic clock and by the wall clock.
    struct Clocks: Sendable {
        let instant: ContinuousClock.Instant
        let seconds: Int
    }

    /// What follows from a look at a place.
    enum Act: Sendable, Equatable {
        /// A link is new (`isNew`), or its file, kind or words are others than before.
        case record(HistoryLine, isNew: Bool)
        /// The place may need to be put in order. `isTouched`: somebody may just have changed it.
        case tidy(isTouched: Bool)
        /// The place cannot be looked at.
        case lookAgain(Problem)
    }

    /// Links that are gone or lead elsewhere, and since when. They may come back.
    private(set) var going: [Link: Clocks] = [:]
    /// Things that are not understood, and why.
    private(set) var leftAlone: [Place: UnrecognisedReason] = [:]
    /// Files that were compared and are no copies, as they were then.
    var others: [Place: File.Facts] = [:]
    /// More or fewer things are left alone than when this was last set to false.
    var isLeftAloneNews = false

    /// `known`: the links that the history has at the place. `isHinted`: somebody may just have changed the place.
    mutating func step(_ sighting: Sighting, _ known: [KnownLink], isHinted: Bool, at now: Clocks) -> [Act] {
        let place = sighting.place
        let isCopy = known.contains { !$0.isLink }
        var (acts, why): ([Act], UnrecognisedReason?) = ([], nil)
        switch sighting.finding {
        case .unknown(let error):
            stay(known)
            return [.lookAgain(error)]
        case .favorite(let key, let file):
            let before = known.first { $0.link.key == key }
            stay(known.filter { $0.link.key == key })
            go(known.filter { $0.link.key != key }, at: now)
            let was = sighting.words
            let isSame = before.map {
                $0.link.file == file && $0.isLink == sighting.isLink && (was.map(\.hashValue) ?? $0.said) == $0.said
            }
            if isSame != true {
                let link = Link(place, to: before?.link.key ?? key, file: file)
                let line = HistoryLine(.came, link, at: now.seconds, isLink: sighting.isLink, was: was)
                acts.append(.record(line, isNew: before == nil))
            }
            if !sighting.isTidy { acts.append(.tidy(isTouched: isHinted)) }
        case .copy where others[place].map { $0 == sighting.facts } == true:
            go(known, at: now)
            why = .file
        case .copy:
            stay(known)
            acts.append(.tidy(isTouched: isHinted || !isCopy))
            if known.isEmpty { why = .undecided }
        // A copy stays one until somebody changes it, even if the mirror's picture has changed since.
        case .unrecognised(.file) where !isHinted && isCopy: stay(known)
        case .unrecognised(let reason):
            go(known, at: now)
            why = reason
        case .leftover:
            go(known, at: now)
            acts.append(.tidy(isTouched: isHinted))
        case .album, .nothing: go(known, at: now)
        }
        if leftAlone[place] != why {
            leftAlone[place] = why
            isLeftAloneNews = true
        }
        return acts
    }

    private mutating func go(_ known: [KnownLink], at now: Clocks) {
        for one in known where going[one.link] == nil { going[one.link] = now }
    }

    private mutating func stay(_ known: [KnownLink]) { for one in known { going[one.link] = nil } }

    /// Pairs new links with links to the same keys that are going, the longest gone first: they were moved. Waiting for
    /// these to end would count them as deleted if the new ones went, too.
    func moved(to new: [Link]) -> [Link: Link] {
        if going.isEmpty { return [:] }
        let keys = Set(new.map(\.key))
        let sorted = going.filter { keys.contains($0.key.key) }
            .sorted { ($0.value.instant, $0.key.place) > ($1.value.instant, $1.key.place) }
        var links = Dictionary(grouping: sorted.map(\.key), by: \.key)
        return Dictionary(
            new.compactMap { new in links[new.key]?.popLast().map { (new, $0) } }, uniquingKeysWith: { $1 })
    }

    /// Takes note that these links are not going any more: they have ended, or the history has them elsewhere.
    mutating func settle(_ links: some Sequence<Link>) { for link in links { going[link] = nil } }

    /// The same for links in a place: the mirror has renamed them.
    mutating func stay(at places: Set<Place>) { going = going.filter { !places.contains($0.key.place) } }

    /// Takes note that the folder, or an album, cannot be seen, which ends no link.
    mutating func spare(_ album: Album = .top) { going = going.filter { !$0.key.place.album.isInside(album) } }

    /// Ends the delay for links that go from these places: a command has deleted them.
    mutating func expire(_ places: Set<Place>, after delay: Duration) {
        for (link, moment) in going where places.contains(link.place) {
            going[link] = Clocks(instant: moment.instant - delay, seconds: moment.seconds)
        }
    }

    /// The links gone since `limit` or before. A key that another link left later is left out: its links end together.
    func overdue(since limit: ContinuousClock.Instant) -> [RemovedLink] {
        let young = Set(going.lazy.filter { $0.value.instant > limit }.map(\.key.key))
        return going.filter { !young.contains($0.key.key) }.map { RemovedLink($0.key, went: $0.value.seconds) }
    }

    /// The lines about links that stayed away. `present`: all links to their keys that the history has. For each of
    /// these that came after the first one went, or at most `window` seconds before, one that went counts as moved.
    static func ending(
        _ gone: [RemovedLink], of present: [KnownLink], window: Int, at now: Int
    ) -> [HistoryLine] {
        let links = Set(gone.map(\.link))
        let left = Dictionary(grouping: present.filter { !links.contains($0.link) }, by: \.link.key)
        let sorted = gone.sorted { ($0.went, $0.link.place) < ($1.went, $1.link.place) }
        var (moved, went): ([HistoryLine], [HistoryLine]) = ([], [])
        for (key, gone) in Dictionary(grouping: sorted, by: \.link.key).sorted(by: { $0.key < $1.key }) {
            let new = (left[key] ?? []).filter { $0.came >= gone[0].went - window }
            moved += zip(gone, new).map {
                HistoryLine(.moved, $1.link, at: now, from: $0.link.place, isLink: $1.isLink)
            }
            went += gone.dropFirst(new.count).map { HistoryLine(.went, $0.link, at: $0.went) }
        }
        return moved + went
    }
}

/// The places where something may have changed.
enum DirtyPaths: Sendable, Equatable {
    case places(Set<Place>)
    case everywhere

    static let none = DirtyPaths.places([])

    /// More places than these become `everywhere`, for which all that is there already is looked at again.
    static let most = 65_536

    mutating func add(_ place: Place) {
        guard case .places(var places) = self else { return }
        // If `self` held the set too, `insert` would copy it.
        self = .none
        places.insert(place)
        self = places.count > Self.most ? .everywhere : .places(places)
    }

    mutating func add(_ others: DirtyPaths) {
        switch others {
        case .everywhere: self = .everywhere
        case .places(let places): for place in places { add(place) }
        }
    }
}
