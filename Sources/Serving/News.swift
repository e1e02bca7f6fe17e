import Apod
import Files
import Glibc
import HTTP

/// Tells open galleries when their data have changed, and whether favorites can be changed here.
final class News: Sendable {
    let hub: EventHub
    private let tree: PublishedTree

    /// Proxies and browsers end what is silent for longer.
    private static let beat = 15.0
    private static let step = 0.25

    init(_ tree: PublishedTree) {
        self.tree = tree
        hub = EventHub { hub, first in startThread { Self.watch(tree, for: hub, knowing: first) } }
    }

    func answer() -> Response {
        Response(
            type: "text/event-stream", body: .events(hub, first: Self.event(of: tree)), caching: .never,
            headers: [("X-Accel-Buffering", "no")])
    }

    /// Ends with the last who listens.
    private static func watch(_ tree: PublishedTree, for hub: EventHub, knowing first: [UInt8]) {
        var (former, silence) = (first, 0.0)
        while hub.goesOn() {
            usleep(UInt32(step * 1e6))
            silence += step
            let now = event(of: tree)
            if now != former {
                hub.send(now)
            } else if silence >= beat {
                hub.send(":\n\n".bytes)
            } else {
                continue
            }
            (former, silence) = (now, 0)
        }
    }

    /// The state of the data: an open gallery loads again what has changed in it.
    private static func event(of tree: PublishedTree) -> [UInt8] {
        let root = tree.root
        func state(of name: String) -> JSON {
            let facts = try? root?.file(at: "\(GallerySize.folder)/data/\(name)")?.facts()
            return .optional(facts.map { "\($0.identity.inode)-\($0.modifiedExactly)" })
        }
        let news = JSON.object([
            ("days", root?.days.years.last.map { state(of: "\($0.year).js") } ?? .null),
            ("favorites", state(of: "favorites.js")),
            ("hearts", .bool(root.flatMap(Hearts.way) != nil)),
        ])
        return "data: ".bytes + news.compact + "\n\n".bytes
    }
}
