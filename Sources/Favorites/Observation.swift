internal import Apod
internal import Archive
internal import Files

/// What was seen in the favorites folder, beside what is remembered of it.
struct Observation {
    /// A link that is gone, or leads to another day than before, or to none.
    struct Loss {
        let place: Place
        let day: Day
        /// The folder that it was in is the one that it was in before.
        let isFolderSame: Bool
    }

    private(set) var change = FolderChange()
    private(set) var losses: [Loss] = []
    /// Links that are as they were.
    private(set) var kept = 0
    /// Where there may be something to put in order.
    private(set) var work = Hints.none

    /// `isHinted`: somebody may just have changed it.
    mutating func take(
        _ finding: Recognition.Finding, at place: Place, _ known: Meaning?, isHinted: Bool, isFolderSame: Bool = true
    ) {
        switch finding {
        case .nothing:
            if let known { lose(place, known, isFolderSame: isFolderSame) }
        case .own(let day):
            see(.day(day), at: place, known, isFolderSame)
        case .meaning(let meaning):
            see(meaning, at: place, known, isFolderSame)
            if meaning.day != nil { work.add(place) }
        case .file(let mayBeCopy):
            // A copy stays one until somebody changes it, even if the mirror's picture has changed since; what was
            // compared before is not read again for nothing.
            if let known, known.day != nil ? !isHinted || mayBeCopy : !isHinted && known == Recognition.foreign {
                see(known, at: place, known, isFolderSame)
            } else {
                see(mayBeCopy ? Recognition.undecided : Recognition.foreign, at: place, known, isFolderSame)
            }
            if mayBeCopy, isHinted || known?.day == nil { work.add(place) }
        case .album, .unknown: break
        }
    }

    private mutating func see(_ meaning: Meaning, at place: Place, _ known: Meaning?, _ isFolderSame: Bool) {
        if known == meaning {
            if meaning.day != nil { kept += 1 }
            return
        }
        change.seen.append((place, meaning))
        work.add(place)
        if let day = known?.day, day != meaning.day {
            losses.append(Loss(place: place, day: day, isFolderSame: isFolderSame))
        }
    }

    mutating func lose(_ place: Place, _ known: Meaning, isFolderSame: Bool) {
        if let day = known.day {
            losses.append(Loss(place: place, day: day, isFolderSame: isFolderSame))
        } else {
            change.gone.append(place)
        }
    }

    mutating func mark(_ album: Album, _ mark: String) { change.marks[album] = mark }

    /// So much is different that it may not have been meant.
    var isMassive: Bool { kept == 0 || losses.count > max(1, kept) }

    /// Forgets what seems to be missing: the folder is not the one that was opened.
    mutating func missNothing() {
        let replaced = Set(losses.map(\.place))
        change.seen.removeAll { replaced.contains($0.place) }
        losses = []
        change.gone = []
        change.marks = [:]
    }

    /// Sets links aside that may not have been meant to go.
    mutating func setAside(where isSuspect: (Loss) -> Bool) {
        change.vanished += losses.filter(isSuspect).map { ($0.place, $0.day) }
        losses.removeAll(where: isSuspect)
    }
}
