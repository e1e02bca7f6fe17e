internal import Apod
internal import Catalog
internal import Files
internal import Watching

/// What was seen in the favorites folder, beside what is remembered of it.
struct FolderDiff {
    /// A link that is gone, or leads to another day than before, or to none.
    struct MissingLink {
        let link: Link
        /// The folder that it was in is the one that it was in before.
        let isFolderSame: Bool
    }

    private(set) var change = FolderChange()
    private(set) var missing: [MissingLink] = []
    /// Links to the days that they led to before.
    private(set) var stayed = 0
    /// How many links there are to a day that were not there before.
    private(set) var newLinks: [Day: Int] = [:]
    /// Of very many links to one file, its name is in memory once.
    private var files: [Day: String] = [:]
    /// Where there may be something to put in order.
    private(set) var work = DirtyPaths.none
    /// How many more things can be listed that are not recognised.
    private var room: Int
    /// There were more than could be listed.
    private(set) var isCrowded = false

    /// What is to be remembered of links that lead out of the mirror, and is not yet.
    private(set) var elsewhere: [[UInt8]] = []

    /// There was no room in this process to look at everything: it is to be looked at again.
    private(set) var shortage: StorageError?

    init(room: Int = .max) { self.room = room }

    /// `isHinted`: somebody may just have changed it.
    mutating func compare(_ sighting: Sighting, _ known: Meaning?, isHinted: Bool, isFolderSame: Bool = true) {
        let place = sighting.place
        if let target = sighting.elsewhere { elsewhere.append(target) }
        switch sighting.finding {
        case .nothing:
            if let known { miss(place, known, isFolderSame: isFolderSame) }
        case .meaning(let meaning):
            see(meaning, at: place, known, isFolderSame)
            if meaning.day != nil, !sighting.isOwn { work.add(place) }
        case .file(let mayBeCopy):
            // A copy stays one until somebody changes it, even if the mirror's picture has changed since, and what was a
            // link is changed; what was compared before is not read again for nothing.
            let isChanged = isHinted || known?.isLink == true
            if let known, known.day != nil ? !isChanged || mayBeCopy : !isChanged && known == LinkResolver.foreign {
                see(known, at: place, known, isFolderSame)
            } else {
                see(mayBeCopy ? LinkResolver.undecided : LinkResolver.foreign, at: place, known, isFolderSame)
            }
            if mayBeCopy, known?.day == nil || known?.isLink == true {
                // What is not listed is not compared each time: whoever looks at all of it knows what is new.
                if isCrowded, known == nil { work = .everywhere } else { work.add(place) }
            }
        // What is a favorite stays one.
        case .unknown(let error) where error.isAway && known?.day == nil:
            see(LinkResolver.waiting, at: place, known, isFolderSame)
        case .unknown(let error): noteFailure(error)
        case .album: break
        }
    }

    /// Before anything else of it is: once a link is known, its end may be away.
    mutating func noteElsewhere(in catalog: Catalog) throws(StorageError) {
        try catalog.noteElsewhere(elsewhere)
        elsewhere = []
    }

    /// Something could not be looked at.
    mutating func noteFailure(_ error: StorageError) { if error.isOfProcess { shortage = error } }

    private mutating func see(_ meaning: Meaning, at place: Place, _ known: Meaning?, _ isFolderSame: Bool) {
        let isSameDay = known?.day == meaning.day
        if isSameDay, meaning.day != nil { stayed += 1 }
        if known == meaning { return }
        if known == nil, meaning.day == nil {
            guard room > 0 else {
                isCrowded = true
                return
            }
            room -= 1
        }
        change.seen.append((place, interned(meaning)))
        work.add(place)
        if isSameDay { return }
        if let day = meaning.day { newLinks[day, default: 0] += 1 }
        if let day = known?.day { miss(Link(place, to: day, file: known?.file), isFolderSame: isFolderSame) }
    }

    private mutating func interned(_ meaning: Meaning) -> Meaning {
        guard case .day(let day, let file?, let isLink) = meaning else { return meaning }
        if let known = files[day], known == file { return .day(day, file: known, isLink: isLink) }
        files[day] = file
        return meaning
    }

    mutating func miss(_ place: Place, _ known: Meaning, isFolderSame: Bool) {
        if let day = known.day {
            miss(Link(place, to: day, file: known.file), isFolderSame: isFolderSame)
        } else {
            change.gone.append(place)
        }
    }

    private mutating func miss(_ link: Link, isFolderSame: Bool) {
        missing.append(MissingLink(link: link, isFolderSame: isFolderSame))
    }

    mutating func note(_ album: Album, _ fingerprint: String) { change.fingerprints[album] = fingerprint }

    /// Forgets what seems to be missing: the folder is not the one that was opened.
    mutating func missNothing() {
        let replaced = Set(missing.map(\.link.place))
        change.seen.removeAll { replaced.contains($0.place) }
        missing = []
        change.gone = []
        change.fingerprints = [:]
    }

    /// Sets links aside that may not have been meant to go: what is gone with its folder, and all if all or most have
    /// gone while nobody looked. Returns whether that is so.
    mutating func setAside(nobodyLooked: Bool, isTopSame: Bool) -> Bool {
        let newLinks = isTopSame ? newLinks : [:]
        var renames = Renames(newLinks)
        let gone = missing.filter { !renames.take($0.link.day) }
        // A day with a new link has been moved, by however many names its links were known on the way.
        func hasMoved(_ missing: MissingLink) -> Bool { newLinks[missing.link.day] != nil }
        let isMassive = nobodyLooked && gone.count { !hasMoved($0) } > stayed
        let suspects = gone.filter { isMassive && !hasMoved($0) || !$0.isFolderSame }.map(\.link)
        change.vanished += suspects
        let vanished = Set(suspects)
        missing.removeAll { vanished.contains($0.link) }
        return isMassive && !suspects.isEmpty
    }
}

/// A link that goes while another to the same day comes has been renamed.
struct Renames {
    private var newLinks: [Day: Int]

    init(_ newLinks: [Day: Int]) { self.newLinks = newLinks }

    /// Whether a link to this day that went is one that came.
    mutating func take(_ day: Day) -> Bool {
        guard let count = newLinks[day], count > 0 else { return false }
        newLinks[day] = count - 1
        return true
    }
}
