internal import Apod
internal import Archive
internal import Files

/// What was seen in the favorites folder, beside what is remembered of it.
struct Observation {
    /// A link that was there and is not.
    struct Loss {
        let place: Place
        let day: Day
        /// The folder that it was in is the one that it was in before.
        let isFolderSame: Bool
    }

    private(set) var change = FolderChange()
    /// Links that are gone.
    private(set) var losses: [Loss] = []
    /// Links that lead to another day than before, or to none.
    private(set) var replaced: [Place: Day] = [:]
    /// Where a day's picture is, but not as a link that the mirror has made.
    private var disorder = Hints.none
    /// Links that are there, new or not.
    private(set) var links = 0

    /// `isHinted`: somebody may just have changed it.
    mutating func take(_ finding: Recognition.Finding, at place: Place, _ memory: Memory?, isHinted: Bool) {
        switch finding {
        case .nothing: if let memory { lose(place, memory, isFolderSame: true) }
        case .own(let day): see(.day(day), at: place, memory)
        case .meaning(let meaning): see(meaning, at: place, memory, isOwn: false)
        case .sameSize:
            // What was compared before is not read again for nothing.
            let isSettled = memory.map { $0.meaning.day != nil || !isHinted } ?? false
            see(isSettled ? memory!.meaning : Recognition.undecided, at: place, memory, isOwn: false)
        case .album, .unknown: break
        }
    }

    private mutating func see(_ meaning: Meaning, at place: Place, _ memory: Memory?, isOwn: Bool = true) {
        if meaning.day != nil { links += 1 }
        if meaning.day != nil, !isOwn { disorder.add(place) }
        if let memory, memory.meaning == meaning, !memory.hasVanished { return }
        change.seen.append((place, meaning))
        if let day = memory?.meaning.day, day != meaning.day { replaced[place] = day }
    }

    mutating func lose(_ place: Place, _ memory: Memory, isFolderSame: Bool) {
        guard let day = memory.meaning.day else {
            change.gone.append(place)
            return
        }
        if !memory.hasVanished { losses.append(Loss(place: place, day: day, isFolderSame: isFolderSame)) }
    }

    mutating func mark(_ album: Album, _ mark: String) { change.marks[album] = mark }

    /// Forgets what seems to be missing: the folder is not the one that was opened.
    mutating func missNothing() {
        losses = []
        change.gone = []
        change.marks = [:]
    }

    /// Holds on to links that may not have been meant to go.
    mutating func keep(where isKept: (Loss) -> Bool) {
        change.vanished += losses.filter(isKept).map(\.place)
        losses.removeAll(where: isKept)
    }

    /// Where there may be something to put in order: what is new, and what means the same as before, but may have been
    /// made anew.
    func work(adopting: Bool) -> Hints {
        var work = adopting ? disorder : .none
        for (place, _) in change.seen { work.add(place) }
        return work
    }

    /// What is not there any more, if it stays away.
    var lost: [Place: Day] {
        replaced.merging(losses.map { ($0.place, $0.day) }) { first, _ in first }
    }
}
