import Apod
import Decoders
import Files
import Glibc
package import HTTP

/// What the mirror answers on the web, from the tree and the index that is published in it. It writes nothing.
///
/// `TreePages` is the folder itself, `V1` NASA's old service, `Basic` the new one, `MediaPages` files under NASA's paths,
/// `OldSite` the old pages, `Monitoring` health and metrics, `News` what has changed since; `Hearts` passes changes of
/// favorites to the service. All read one state of the mirror (`PublishedTree`), whose
/// days `DayIndex` reads year by year.
package final class Site: Sendable {
    private let tree: PublishedTree
    private let made = MadeAnswers()
    private let news: News
    private let decoding: SizedPicture.Means
    private let now: @Sendable () -> Int

    /// `decoder`: the program that decodes pictures.
    package init(
        root: String, decoder: String? = Worker.path, now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        tree = PublishedTree(root)
        decoding = .init(decoder: decoder)
        news = News(tree)
        self.now = now
    }

    /// By which galleries get news.
    package var events: EventHub { news.hub }

    /// `requests`: how many there were, for `/metrics`.
    package func answer(_ request: Request, requests: Int = 0) -> Response {
        switch request.method {
        case .get, .head: break
        case .options: return Self.options
        case .post:
            guard let root = tree.root else { return Self.away }
            return Hearts(root: root).answer(request)
        }
        // Most of what is asked for was made before.
        if let number = tree.number, let known = made.answer(to: request.address, in: number) { return known }
        let root = tree.root
        let monitoring = Monitoring(root: root, requests: requests, now: now())
        if request.path == ["health"] { return monitoring.health }
        if request.path == ["events"] { return news.answer() }
        if request.path == ["metrics"] { return monitoring.metrics }
        guard let root else { return Self.away }
        guard root.days.years.isEmpty else { return answer(request, root) }
        // The gallery says so; programs ask again.
        let answer = page(request, TreePages(root: root))
        return answer.status == 404 ? Self.away : answer
    }

    /// What pages of other servers may send. Not what changes favorites.
    private static let reading = """
        Accept, Cache-Control, Content-Type, If-Modified-Since, If-None-Match, If-Range, Range, X-Api-Key, \
        X-Requested-With
        """

    private static let options = Response(
        status: 204, type: Response.text, body: .bytes([]), caching: .never,
        headers: [
            ("Allow", "GET, HEAD, OPTIONS"), ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
            ("Access-Control-Allow-Headers", reading), ("Access-Control-Max-Age", "86400"),
        ])

    private static let away = Response.refusal(
        503, "The mirror's folder is away, or has no day yet.", [("Retry-After", "60")])

    private func answer(_ request: Request, _ root: PublishedTree.Root) -> Response {
        let links = Links(origin: request.origin)
        let pages = TreePages(root: root)
        let media = MediaPages(pages: pages)
        lazy var old = OldSite(root: root, media: media, links: links)
        lazy var basic = Basic(root: root, origin: request.origin)
        func cached(_ make: () -> Response) -> Response {
            made.answer(to: request.address, in: root.number, make: make)
        }

        let path = request.path
        switch (path.first, path.dropFirst().first) {
        case ("planetary", "apod") where path.count == 2, ("v1", "apod") where path.count == 2:
            return cached { V1(root: root, links: links, today: Day(utc: now())).answer(request) }
        case ("wp-json", "wp") where path.dropFirst(2).starts(with: ["v2", "apod-basic"]):
            return cached { basic.answer(path.dropFirst(4), request) }
        case ("content", "dam"), ("dynamicimage", _), ("vi", _): return media.answer(request)
        case ("apod", "image"): return media.old(request)
        case ("apod", _): return cached { old.answer(request) }
        case ("apod.rss", nil): return cached { old.feed }
        case ("latest", nil), ("latest.jpg", nil), ("today.jpg", nil), ("random.jpg", nil),
            ("favorites", "random.jpg"):
            return Chosen(pages: pages, decoding: decoding, now: now()).answer(request)
        default: return page(request, pages)
        }
    }

    /// A file of the folder. The gallery's favorites get a word that they come from here: elsewhere, nobody answers a
    /// heart. Texts are compressed for whoever takes them so; what was compressed is kept by the file's tag.
    private func page(_ request: Request, _ pages: TreePages) -> Response {
        var answer = pages.answer(request)
        if request.path == ["gallery", "data", "favorites.js"], case .file(let file, let count) = answer.body,
            let bytes = try? file.contents(atMost: count)
        {
            return .made(bytes + "apod.serve();\n".bytes, answer.type).cached(.asking)
        }
        guard answer.isCompressible, let tag = answer.entityTag else { return answer }
        answer.headers.append(("Vary", "Accept-Encoding"))
        guard request.takesGzip else { return answer }
        return made.answer(to: "gzip \(tag)", in: pages.root.number) { answer.compressed ?? answer }
    }
}

extension Request {
    /// The whole address, by which `MadeAnswers` knows it.
    fileprivate var address: String { origin + target }
}
