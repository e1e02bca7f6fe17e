import Apod
import Archive
import Favorites

/// Tells what is done to the favorites: line by line, or as one document when all is done.
struct FavoritesAccount {
    enum Change: String { case made, removed, forgotten }

    private let asJSON: Bool
    private var changes: [JSON] = []
    private(set) var status = ExitStatus.done

    init(asJSON: Bool) { self.asJSON = asJSON }

    mutating func enter(_ change: Change, _ day: Day, _ place: Place? = nil) {
        changes.append(
            .object([
                ("date", .string("\(day)")), ("link", .optional(place?.description)),
                ("change", .string(change.rawValue)),
            ]))
        say(place.map { "\(change) \(Text.clean("\(Tree.favorites)/\($0)"))" } ?? "forgot the vanished links to \(day)")
    }

    func say(_ words: String) { if !asJSON { Terminal.print(words) } }

    func warn(_ words: String) { Terminal.complain(words) }

    mutating func complain(_ words: String) {
        Terminal.complain(words)
        status = .incomplete
    }

    func end() { if asJSON { Terminal.print(.array(changes)) } }
}
