/// The links to one key, by their places: a value. Most favorites have one link, for which a dictionary would take several
/// times the room.
struct KeyLinks: Sendable {
    /// What is known of a link beside its place and its key. The longest come first, so that there are no gaps.
    struct Held: Sendable {
        let file: String?
        let came: Int
        let said: Int?
        let isLink: Bool
    }

    /// nil only where there are no others.
    private var first: (place: Place, held: Held)?
    private var others: [Place: Held] = [:]

    var isEmpty: Bool { first == nil }
    var all: [(place: Place, held: Held)] {
        (first.map { [$0] } ?? []) + others.lazy.map { (place: $0.key, held: $0.value) }
    }
    var places: [Place] { all.map(\.place) }

    subscript(place: Place) -> Held? {
        if let first, first.place == place { return first.held }
        return others[place]
    }

    mutating func enter(_ held: Held, at place: Place) {
        if let first, first.place != place {
            others[place] = held
        } else {
            first = (place, held)
        }
    }

    /// Returns false for a place that has none.
    mutating func remove(at place: Place) -> Bool {
        guard let first, first.place == place else { return others.removeValue(forKey: place) != nil }
        self.first = others.popFirst().map { (place: $0.key, held: $0.value) }
        return true
    }

    /// The string of a link that is here already, if it is this text: links to one file hold its name once.
    func shared(_ file: String?) -> String? {
        if let first, first.held.file == file { return first.held.file }
        return file
    }
}
