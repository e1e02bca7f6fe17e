internal import Apod
internal import Archive
internal import Catalog
internal import Files

/// What a look at the favorites folder has found to be recorded.
struct FolderChange: Sendable {
    struct Arrival: Sendable {
        var link: Link
        let isLink: Bool
        /// What it says, where that is not what the mirror writes.
        let was: String?
        /// The history has another file or other words at this place, and the same subject.
        let isKnown: Bool
    }

    /// New links, and links whose file, kind or words are others than before.
    var came: [Arrival] = []
    /// The links that went as new ones to their subjects came, by these.
    var moved: [Link: Link] = [:]

    /// Completes items with the ids that their lists give them.
    mutating func identify(by catalog: Catalog) throws(StorageError) {
        guard came.contains(where: { $0.link.subject.list != nil }) else { return }
        for (index, subject) in try catalog.identified(came.map(\.link.subject)).enumerated() {
            let link = came[index].link
            came[index].link = Link(link.place, to: subject, file: link.file)
        }
    }

    var isEmpty: Bool { came.isEmpty }
    var new: [Link] { came.filter { !$0.isKnown }.map(\.link) }

    func lines(at moment: Int) -> some Collection<HistoryLine> {
        came.lazy.map { [moved] arrival in
            let from = moved[arrival.link]?.place
            return HistoryLine(
                from == nil ? .came : .moved, arrival.link, at: moment, from: from, isLink: arrival.isLink,
                was: arrival.was)
        }
    }
}

/// Links that stayed away, sorted by what that means.
struct Departures: Sendable, Equatable {
    /// Links whose subjects have gained others at the same time.
    private(set) var moved: [(from: Link, to: KnownLink)] = []
    private(set) var went: [RemovedLink] = []

    /// Compares `gone`, all links to some subjects that stayed away, with `present`, those to the same that the history
    /// has.
    /// For each link that came after the first one went, or at most `window` seconds before, one that went counts as
    /// moved.
    init(_ gone: [RemovedLink], of present: [KnownLink], window: Int) {
        let links = Set(gone.map(\.link))
        let left = Dictionary(grouping: present.filter { !links.contains($0.link) }, by: \.link.subject)
        let sorted = gone.sorted { ($0.went, $0.link.place) < ($1.went, $1.link.place) }
        for (subject, gone) in Dictionary(grouping: sorted, by: \.link.subject).sorted(by: { $0.key < $1.key }) {
            let new = (left[subject] ?? []).filter { $0.came >= gone[0].went - window }
            for (gone, new) in zip(gone, new) { moved.append((gone.link, new)) }
            went += gone.dropFirst(new.count)
        }
    }

    func lines(at moment: Int) -> [HistoryLine] {
        moved.map { HistoryLine(.moved, $1.link, at: moment, from: $0.place, isLink: $1.isLink) }
            + went.map { HistoryLine(.went, $0.link, at: $0.went) }
    }

    var isEmpty: Bool { moved.isEmpty && went.isEmpty }

    static func == (one: Departures, other: Departures) -> Bool {
        one.went == other.went && one.moved.elementsEqual(other.moved) { $0.from == $1.from && $0.to == $1.to }
    }
}
