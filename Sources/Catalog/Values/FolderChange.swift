internal import Apod

/// The changes that a look at the favorites folder makes in the catalog.
package struct FolderChange: Sendable {
    /// New links, and links whose file or kind is another than before.
    package var came: [(link: Link, isLink: Bool)] = []
    /// The new links among them.
    package var new: [Link] = []
    /// Links that went as new ones to their days came, and where they are now.
    package var moved: [(link: Link, to: Place)] = []
    /// Things that are not understood, and why; nil for those that are gone.
    package var unrecognised: [Place: UnrecognisedReason?] = [:]

    package init() {}

    package var isEmpty: Bool { came.isEmpty && unrecognised.isEmpty }
}

/// Links that stayed away, sorted by what that means.
package struct Departures: Sendable, Equatable {
    /// Links whose days have gained others at the same time: they were moved.
    package private(set) var moved: [Link] = []
    package private(set) var went: [RemovedLink] = []
    /// The last link of each favorite that ended.
    package private(set) var ended: [RemovedLink] = []

    /// Compares `gone`, all links to some days that stayed away, with `present`, the catalog's links to these days. For
    /// each link that came after the first one went, or at most `window` seconds before, one that went counts as moved.
    package init(_ gone: [RemovedLink], of present: [KnownLink], window: Int) {
        let links = Set(gone.map(\.link))
        let left = Dictionary(grouping: present.filter { !links.contains($0.link) }, by: \.link.day)
        let sorted = gone.sorted { ($0.went, $0.link.place.description) < ($1.went, $1.link.place.description) }
        for (day, gone) in Dictionary(grouping: sorted, by: \.link.day).sorted(by: { $0.key < $1.key }) {
            let left = left[day] ?? []
            let new = left.count { $0.came >= gone[0].went - window }
            moved += gone.prefix(new).map(\.link)
            went += gone.dropFirst(new)
            if left.isEmpty, let last = gone.last { ended.append(last) }
        }
    }

    package var isEmpty: Bool { moved.isEmpty && went.isEmpty && ended.isEmpty }
}
