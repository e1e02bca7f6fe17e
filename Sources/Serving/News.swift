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
            type: "text/event-stream", body: .events(hub, first: Self.event(state)), caching: .never,
            headers: [("X-Accel-Buffering", "no")])
    }

    private func watch() -> Never {
        var (former, silence) = (state, 0.0)
        while true {
            usleep(UInt32(Self.step * 1e6))
            if hub.isEmpty { continue }
            silence += Self.step
            let now = state
            if now != former {
                hub.send(Self.event(now))
            } else if silence >= Self.beat {
                hub.send(Array(":\n\n".utf8))
            } else {
                continue
            }
            (former, silence) = (now, 0)
        }
    }

    /// What a gallery that is open has to load again when it changes.
    private struct State: Equatable {
        var days: File.Facts?
        var favorites: File.Facts?
        var canChange = false

        static func == (a: State, b: State) -> Bool {
            a.canChange == b.canChange && isSame(a.days, b.days) && isSame(a.favorites, b.favorites)
        }

        private static func isSame(_ a: File.Facts?, _ b: File.Facts?) -> Bool {
            if let a, let b { a.isSame(as: b) } else { a == nil && b == nil }
        }
    }

    private var state: State {
        guard let root = tree.root else { return State() }
        let data = try? root.folder.folder(GallerySize.folder)?.folder("data")
        func facts(_ name: String) -> File.Facts? { (try? data?.facts(of: name)) ?? nil }
        return State(
            days: root.days.years.last.flatMap { facts("\($0.year).js") }, favorites: facts("favorites.js"),
            canChange: Hearts.way(in: root.folder) != nil)
    }

    private static func event(_ state: State) -> [UInt8] {
        func text(_ facts: File.Facts?) -> JSON {
            .optional(facts.map { "\($0.identity.inode)-\($0.modifiedExactly)" })
        }
        let news = JSON.object([
            ("days", text(state.days)), ("favorites", text(state.favorites)), ("hearts", .bool(state.canChange)),
        ])
        return Array("data: ".utf8) + news.compact + Array("\n\n".utf8)
    }
}
