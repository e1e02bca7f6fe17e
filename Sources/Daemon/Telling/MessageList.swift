internal import Apod
internal import Archive
internal import Catalog
import Synchronization
internal import Syncing

/// Messages of a change of the favorites, kept until it is known whether the catalog took it in.
final class MessageList: Sendable {
    private let messages = Mutex<[Message]>([])

    func add(_ message: Message) { messages.withLock { $0.append(message) } }

    var all: [Message] { messages.withLock(\.self) }

    /// The messages that are true after a failure: links that were made or deleted count only if the catalog knows it.
    /// `asker`: who enters the others later.
    func whatHolds(in catalog: Catalog, asker: String) -> [Message] {
        let favorites = try? catalog.favorites()
        let links = favorites.map { Dictionary($0.map { ($0.day, Set($0.links.map(\.description))) }) { $1 } }
        var (made, removed, others): ([String], [String], [Message]) = ([], [], [])
        for message in all {
            switch message {
            case .changed(.made, let day, let link?) where links?[day]?.contains(link) != true: made.append(link)
            // A catalog that cannot be read counts as one that does not know.
            case .changed(.removed, let day, let link?) where links.map({ $0[day]?.contains(link) == true }) ?? true:
                removed.append(link)
            // These tell what follows from the change, which is not known.
            case .said, .deleted: break
            default: others.append(message)
            }
        }
        return others + Self.words(made, "there, but not entered yet; \(asker) enters")
            + Self.words(removed, "gone, but that is not noted yet; \(asker) takes note of")
    }

    private static func words(_ links: [String], _ state: String) -> [Message] {
        guard let first = links.first else { return [] }
        let isOne = links.count == 1
        let what = Text.shown("\(Tree.favorites)/\(first)") + (isOne ? " is" : " and \(links.count - 1) more are")
        return [.warned("\(what) \(state) \(isOne ? "it" : "them")")]
    }
}
