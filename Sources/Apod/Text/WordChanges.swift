/// What makes one text of another, word by word.
package struct WordChanges: Sendable {
    package enum Fate: Int, Sendable {
        case gone = -1
        case kept, new
    }

    package private(set) var parts: [(kind: Fate, words: String)] = []

    /// In words of both. Longer texts than anybody writes are compared as a whole: it takes the square of what differs.
    private static let most = 4000

    package init(from old: String, to new: String) {
        let (old, new) = (Self.words(old), Self.words(new))
        var (gone, added) = (Set(old.indices), Set(new.indices))
        if old.count + new.count <= Self.most {
            (gone, added) = ([], [])
            for change in new.difference(from: old) {
                switch change {
                case .remove(let offset, _, _): gone.insert(offset)
                case .insert(let offset, _, _): added.insert(offset)
                }
            }
        }
        var (place, newPlace) = (0, 0)
        while place < old.count || newPlace < new.count {
            if gone.contains(place) {
                add(old[place], .gone)
                place += 1
            } else if added.contains(newPlace) {
                add(new[newPlace], .new)
                newPlace += 1
            } else {
                add(old[place], .kept)
                (place, newPlace) = (place + 1, newPlace + 1)
            }
        }
    }

    private static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

    private mutating func add(_ word: Substring, _ kind: Fate) {
        if parts.last?.kind == kind {
            parts[parts.count - 1].words += " \(word)"
        } else {
            parts.append((kind, "\(word)"))
        }
    }
}
