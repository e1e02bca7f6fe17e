internal import Apod
internal import Concurrency
internal import Files
import Glibc
internal import HTTP
internal import Synchronization

/// Tells open galleries when their data have changed, and whether favorites can be changed here.
final class News: Sendable {
    let hub = EventHub()
    private let tree: PublishedTree
    private let isWatching = Atomic(false)

    /// Proxies and browsers end what is silent for longer.
    private static let beat = 15.0
    private static let step = 0.25

    init(_ tree: PublishedTree) { self.tree = tree }

    func answer(_ request: Request) -> Response {
        if request.method == .get, !isWatching.exchange(true, ordering: .relaxed) { startThread { self.watch() } }
        return Response(
            type: "text/event-stream", body: .events(hub, first: event), caching: .never,
            headers: [("X-Accel-Buffering", "no")])
    }

    private func watch() -> Never {
        var (former, silence) = (event, 0.0)
        while true {
            usleep(UInt32(Self.step * 1e6))
            if hub.isEmpty { continue }
            silence += Self.step
            let now = event
            if now != former {
                hub.send(now)
            } else if silence >= Self.beat {
                hub.send(Array(":\n\n".utf8))
            } else {
                continue
            }
            (former, silence) = (now, 0)
        }
    }

    /// The state of the data: an open gallery loads again what has changed in it.
    private var event: [UInt8] {
        let root = tree.root
        let data = try? root?.folder.folder(GallerySize.folder)?.folder("data")
        func state(of name: String) -> JSON {
            let facts = try? data?.facts(of: name)
            return .optional(facts.map { "\($0.identity.inode)-\($0.modifiedExactly)" })
        }
        let news = JSON.object([
            ("days", root?.days.years.last.map { state(of: "\($0.year).js") } ?? .null),
            ("favorites", state(of: "favorites.js")),
            ("hearts", .bool(root.flatMap { Hearts.way(in: $0.folder) } != nil)),
        ])
        return Array("data: ".utf8) + news.compact + Array("\n\n".utf8)
    }
}
