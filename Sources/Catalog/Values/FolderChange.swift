internal import Apod

/// What is to be remembered of a look at the favorites folder.
package struct FolderChange: Sendable {
    /// Links that came, or lead to another file of their day than before.
    package var came: [(link: Link, isLink: Bool)] = []
    /// Things that are not understood, and why; nil for those that are gone.
    package var unrecognised: [Place: Stranger?] = [:]
    /// All that is not understood was seen: nothing else is.
    package var isWhole = false
    /// How many things are not understood, those among them that are not named; nil if that is as before.
    package var unrecognisedCount: Int?

    package init() {}

    package var isEmpty: Bool { came.isEmpty && unrecognised.isEmpty && !isWhole && unrecognisedCount == nil }
}

/// Links that stayed away, and what that means.
package struct Departures: Sendable, Equatable {
    /// Their days have gained others at once: they were moved.
    package private(set) var moved: [Link] = []
    package private(set) var went: [RemovedLink] = []
    /// The favorites that ended with their last link.
    package private(set) var ended: [RemovedLink] = []

    /// `gone`: links with the moments at which they went, all of their days. `present`: what the catalog knows of these days.
    /// A link that came from `window` seconds before on takes the place of one that went, first come, first served.
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
